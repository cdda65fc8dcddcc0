import CivilTime
import TestSupport
import Testing

@testable import ObjectStore

/// The operators that take a list, with constants and keys of several types on both sides.
@Suite struct PredicateListTests {
    /// Two rows: one has a value in every column, the other has none.
    private struct Table {
        let directory = TemporaryStore()
        let context: ManagedObjectContext
        let full: ManagedObject
        let empty: ManagedObject

        init() throws {
            let attributes: [AttributeDescription] = [
                .date("day1"), .date("day3"), .decimal("price1"), .decimal("price3"), .uuid("key1"),
                .uuid("key3"), .uri("link1"), .uri("link3"), .double("number1"), .integer64("number3"),
                .string("name1"), .string("name3"),
            ]
            context = try directory.context(
                try ManagedObjectModel(entities: [EntityDescription("Row", attributes: attributes)]))
            full = try context.insert(entity: "Row")
            empty = try context.insert(entity: "Row")
            for kind in Kind.allCases {
                for number in [1, 3] {
                    try full.setValue(kind.stored(number), of: "\(kind.rawValue)\(number)")
                }
            }
            try context.save()
        }

        /// Whether the full and the empty row match, in memory and in SQL.
        func outcomes(_ predicate: FetchPredicate) throws -> [[Bool]] {
            let compiled = try predicate.compiled(for: full.entity, in: context.model)
            let inMemory = try [full, empty].map { try compiled.matches($0) }
            let ids = try context.ids(FetchRequest<ManagedObject>(entity: "Row", matching: predicate))
            return [inMemory, [full, empty].map { ids.contains($0.id) }]
        }
    }

    /// A type of value. The names of its columns begin with the raw value.
    private enum Kind: String, CaseIterable {
        case date = "day"
        case decimal = "price"
        case uuid = "key"
        case uri = "link"
        case number
        case text = "name"

        /// The value that represents a number in a column of this type.
        func stored(_ number: Int) -> AttributeValue {
            switch self {
            case .date:
                .date(Timestamp(iso8601: "199\(number)-01-01T00:00:00Z") ?? Timestamp(secondsSince1970: 0))
            case .decimal: .decimal("\(number).1")
            case .uuid: .uuid(UUIDValue(uuid(number)) ?? UUIDValue(high: 0, low: 0))
            case .uri: .uri("http://a/\(number)")
            case .number: number == 1 ? .double(1) : .integer(Int64(number))
            case .text: .string("http://a/\(number)")
            }
        }

        private func uuid(_ number: Int) -> String { "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(number)" }

        /// The ways to write a number as a constant, or as an argument if there is no literal. The first two
        /// are of this type, so one of them decides how the other operands are read.
        func spellings(_ number: Int) -> [Operand.Spelling] {
            switch self {
            case .date:
                [
                    .argument(stored(number)), .literal("CAST('199\(number)-01-01T00:00:00Z', 'NSDate')"),
                    .literal("'199\(number)-01-01T00:00:00Z'"),
                    .literal("'199\(number)-01-01T01:00:00+01:00'"),
                    .argument(.string("199\(number)-01-01 00:00:00Z")),
                ]
            case .decimal:
                [
                    .argument(stored(number)), .literal("CAST('\(number).1', 'NSDecimalNumber')"),
                    .literal("'\(number).10'"), .literal("\(number).1"),
                    .argument(.double(Double(number) + 0.1)),
                ]
            case .uuid:
                [
                    .argument(stored(number)), .literal("CAST('\(uuid(number))', 'NSUUID')"),
                    .literal("'\(uuid(number))'"), .literal("'\(uuid(number).lowercased())'"),
                ]
            case .uri, .text:
                [
                    .argument(stored(number)), .literal("CAST('http://a/\(number)', 'NSURL')"),
                    .literal("'http://a/\(number)'"), .argument(.uri("http://a/\(number)")),
                ]
            case .number:
                [
                    .argument(.double(Double(number))), .literal("\(number).0"), .literal("\(number)"),
                    .argument(.integer(Int64(number))),
                ]
            }
        }
    }

    /// One side of a comparison or one element of a list, and the number that it represents.
    private struct Operand {
        enum Spelling {
            case literal(String)
            case argument(AttributeValue)
            case key(String)
        }

        let number: Int
        let spelling: Spelling

        var isKey: Bool { if case .key = spelling { true } else { false } }

        var format: String {
            switch spelling {
            case .literal(let text), .key(let text): text
            case .argument: "%@"
            }
        }

        /// A random operand. If `isDecisive`, a constant is of the type itself.
        static func random(
            _ kind: Kind, isDecisive: Bool, using random: inout some RandomNumberGenerator
        ) -> Operand {
            let number = Int.random(in: 0...4, using: &random)
            if number % 2 == 1, Bool.random(using: &random) {
                return Operand(number: number, spelling: .key("\(kind.rawValue)\(number)"))
            }
            let spellings = kind.spellings(number)
            let choice = Int.random(in: 0..<(isDecisive ? 2 : spellings.count), using: &random)
            return Operand(number: number, spelling: spellings[choice])
        }
    }

    private static func predicate(
        _ left: Operand, _ word: String, _ list: [Operand]
    ) throws -> FetchPredicate {
        let elements = list.map(\.format).joined(separator: ", ")
        let arguments: [any PredicateArgument] = ([left] + list).compactMap {
            if case .argument(let value) = $0.spelling { value } else { nil }
        }
        return try FetchPredicate(
            format: "\(left.format) \(word) {\(elements)}", arguments: arguments)
    }

    /// P1: The order of a list makes no difference, and both executions agree with the numbers that the values
    /// represent.
    @Test func orderOfAListMakesNoDifference() throws {
        let table = try Table()
        for seed in 1...UInt64(200) {
            var random = SplitMix(state: seed)
            let kind = try #require(Kind.allCases.randomElement(using: &random))
            let left = Operand.random(kind, isDecisive: false, using: &random)
            var list = [Operand.random(kind, isDecisive: true, using: &random)]
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                list.append(Operand.random(kind, isDecisive: false, using: &random))
            }
            // The keys of the empty row are `nil`, which is in no list and equals nothing.
            let isMember = list.contains { $0.number == left.number }
            let isMemberOfConstants = !left.isKey && list.contains { $0.number == left.number && !$0.isKey }
            for order in Self.orders(of: list) {
                let predicate = try Self.predicate(left, "IN", order)
                let expected = [isMember, isMemberOfConstants]
                #expect(try table.outcomes(predicate) == [expected, expected], "seed \(seed): \(predicate)")
                let low = order[0]
                let high = order[1]
                let isBetween = low.number <= left.number && left.number <= high.number
                let hasKey = [left, low, high].contains(where: \.isKey)
                let bounds = try Self.predicate(left, "BETWEEN", [low, high])
                let within = [isBetween, isBetween && !hasKey]
                // Without an operand of the type itself, texts are compared as texts.
                guard [left, low, high].contains(where: { Self.isDecisive($0, kind) }) else { continue }
                #expect(try table.outcomes(bounds) == [within, within], "seed \(seed): \(bounds)")
            }
        }
    }

    private static func isDecisive(_ operand: Operand, _ kind: Kind) -> Bool {
        if operand.isKey { return true }
        return kind.spellings(operand.number).prefix(2).contains { spelling in
            switch (spelling, operand.spelling) {
            case (.literal(let one), .literal(let other)): one == other
            case (.argument(let one), .argument(let other)): one == other
            default: false
            }
        }
    }

    private static func orders(of list: [Operand]) -> [[Operand]] {
        if list.count < 2 { return [list] }
        return list.indices.flatMap { index in
            var others = list
            let first = others.remove(at: index)
            return orders(of: others).map { [first] + $0 }
        }
    }

    /// P1: A constant on the left side is read once, for the whole list. `day1` is 1991, `price1` is 1.1.
    @Test(arguments: [
        ("'1995-01-01T00:00:00Z' BETWEEN {'1990-01-01T00:00:00Z', day1}", false),
        ("'1995-01-01T00:00:00Z' BETWEEN {day1, '1999-01-01T00:00:00Z'}", true),
        ("'1990-06-01T00:00:00Z' BETWEEN {'1990-01-01T00:00:00Z', day1}", true),
        ("'1990-06-01T02:00:00+02:00' BETWEEN {'1990-06-01T00:00:00Z', day1}", true),
        ("1.1 BETWEEN {2.5, price1}", false), ("1.1 BETWEEN {0.5, price1}", true),
        ("1.1 BETWEEN {price1, 2.5}", true), ("10 BETWEEN {9, price1}", false),
        ("'1995-01-01T00:00:00Z' IN {'1995-01-01T00:00:00Z', day1}", true),
        ("'1995-01-01T00:00:00Z' IN {day1, '1995-01-01T00:00:00Z'}", true),
        ("'1995-01-01T00:00:00Z' IN {'1995-01-01T01:00:00+01:00', day1}", true),
        ("'1.10' IN {'1.1', price3}", true), ("'1.10' IN {price3, '1.1'}", true),
        ("9007199254740993 IN {9007199254740993, number1}", true),
        ("nil IN {'x', day1}", false), ("'1995-01-01T00:00:00Z' IN {nil, day1}", false),
        ("'1991-01-01T00:00:00Z' IN {nil, day1}", true),
    ])
    func constantOnTheLeftIsReadOnce(format: String, holds: Bool) throws {
        let table = try Table()
        let outcomes = try table.outcomes(try FetchPredicate(format))
        #expect(outcomes.map { $0[0] } == [holds, holds])
    }

    /// P1: Values that cannot be compared are refused in every order.
    @Test(arguments: [
        "1 IN {number3, price1}", "1 IN {price1, number3}", "'x' IN {'y', day1}", "'x' IN {day1, 'y'}",
        "'1991-01-01T00:00:00Z' BETWEEN {'y', day1}", "'x' IN {key1, day1}", "'x' IN {name1, link1}",
    ])
    func listOfSeveralKindsIsRefused(format: String) throws {
        let table = try Table()
        #expect(throws: FetchPredicateError.self) {
            try FetchPredicate(format).check(against: table.full.entity, in: table.context.model)
        }
    }

    @Test func textBesideAURIComparesInEitherOrder() throws {
        let table = try Table()
        let address = AttributeValue.uri("http://a/1")
        for format in [
            "'http://a/1' == %@", "%@ == 'http://a/1'", "name1 == %@", "%@ == name1", "link1 == %@",
        ] {
            let outcomes = try table.outcomes(try FetchPredicate(format, address))
            #expect(outcomes.map { $0[0] } == [true, true], "\(format)")
        }
    }
}
