import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ObjectTableTests {
    /// Compares the table with a dictionary, through random insertions and removals of ids of every shape.
    @Test(arguments: 0..<8) func tableBehavesLikeDictionary(seed: UInt64) throws {
        let model = try ManagedObjectModel(entities: [EntityDescription("Thing")])
        let registry = ObjectRegistry(entity: model.entities[0], context: nil)
        let table = ObjectTable()
        var expected: [Int64: ManagedObject] = [:]
        var random = SplitMix(state: seed)
        for step in 0..<5000 {
            let id = Self.id(step, seed, &random)
            if Bool.random(using: &random), let known = expected.keys.randomElement(using: &random) {
                table.remove(known)
                expected[known] = nil
            } else if expected[id] == nil {
                let object = ManagedObject(
                    ObjectPlacement(registry: registry, id: id, values: .make([]), state: .detached))
                expected[id] = object
                table.insert(object)
            }
            #expect(table.count == expected.count)
        }
        for (id, object) in expected { #expect(table[id] === object) }
        for id in -100...100 as ClosedRange<Int64> where expected[id] == nil { #expect(table[id] == nil) }
        #expect(Set(table.objects) == Set(expected.values))
        for id in expected.keys { table.remove(id) }
        #expect(table.count == 0)
        #expect(table.objects.isEmpty)
    }

    private static func id(_ step: Int, _ seed: UInt64, _ random: inout SplitMix) -> Int64 {
        switch seed % 4 {
        case 0: Int64(step)
        case 1: Int64(step) << 10
        case 2: Int64(bitPattern: random.next())
        default: Int64.random(in: -50...50, using: &random)
        }
    }
}
