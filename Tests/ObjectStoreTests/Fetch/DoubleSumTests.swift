import ObjectStore
import TestSupport
import Testing

/// Sums of doubles in predicates and derived attributes, which are exact before they are rounded once.
@Suite struct DoubleSumTests {
    let directory = TemporaryStore()

    final class Box: ManagedObject {
        @Attribute(derivedFrom: "items.@sum.x") var sum: Double = 0
        @ToMany(inverse: \Item.box) var items: RelatedObjects<Item>
    }

    final class Item: ManagedObject {
        @Attribute var x: Double = 0
        @ToOne var box: Box?
    }

    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(Box.self), EntityDescription(Item.self),
        ])
        return try kind.context(in: directory, model)
    }

    /// Returns the sum that a derived attribute has. It has to be the sum in a predicate, too.
    private func sum(_ numbers: [Double], _ context: ManagedObjectContext) throws -> Double {
        let box = try context.insert(Box.self)
        for number in numbers {
            let item = try context.insert(Item.self)
            (item.x, item.box) = (number, box)
        }
        try context.save()
        let isEqual = try FetchPredicate("sum == items.@sum.x AND SELF == %@", box)
        #expect(try context.count(FetchRequest<Box>(matching: isEqual)) == 1, "\(numbers)")
        return box.sum
    }

    private static let samples: [(numbers: [Double], sum: Double)] = [
        ([1e16, 1, -1e16], 1),
        (Array(repeating: 0.1, count: 10), 1),
        ([1e308, 1e308, -1e308], 1e308),
        ([-1e308, -1e308, 1e308], -1e308),
        ([1e308, 1e308], .infinity),
        ([0x1p-1074, 0x1p-1074], 0x1p-1073),
        ([1, 0x1p-1074, -1], 0x1p-1074),
        ([.leastNormalMagnitude, -0x1p-1074], Double.leastNormalMagnitude.nextDown),
        ([-0.5, 0.25], -0.25),
        ([0.5, -0.5], 0),
        // Half of the last bit is rounded to the even neighbour, and more than half is rounded up.
        ([1, 0x1p-53], 1),
        ([0x1.0000000000001p0, 0x1p-53], 0x1.0000000000002p0),
        ([1, 0x1p-53, 0x1p-1074], 0x1.0000000000001p0),
        ([-1, -0x1p-53, -0x1p-1074], -0x1.0000000000001p0),
        ([.greatestFiniteMagnitude, 0x1p969], .greatestFiniteMagnitude),
        ([.greatestFiniteMagnitude, 0x1p970], .infinity),
        ([.infinity, 1], .infinity),
    ]

    @Test(arguments: [TestedStore.memory, .sqlite])
    func sumIsRoundedOnce(_ kind: TestedStore) throws {
        let context = try context(kind)
        for sample in Self.samples {
            for numbers in [sample.numbers, sample.numbers.reversed(), sample.numbers.sorted()] {
                #expect(try sum(numbers, context) == sample.sum, "\(numbers)")
            }
        }
    }

    @Test func randomSumsEqualThoseOfIntegers() throws {
        let context = try context(.memory)
        var random = SplitMix(state: 7)
        for _ in 0..<20 {
            let exponent = Int.random(in: -900...900, using: &random)
            let scale = Double(sign: .plus, exponent: exponent, significand: 1)
            let integers = (0..<300).map { _ in Int64.random(in: -(1 << 53)...(1 << 53), using: &random) }
            let expected = Double(integers.reduce(Int128(0)) { $0 + Int128($1) }) * scale
            #expect(try sum(integers.map { Double($0) * scale }, context) == expected)
        }
    }
}
