import TestSupport
import Testing

@testable import ObjectStore

@Suite struct MappingModelTests {
    private static func models() throws -> (ManagedObjectModel, ManagedObjectModel) {
        let one = [
            EntityDescription(
                "Item", attributes: [.string("name"), .integer32("size"), .date("due")],
                relationships: [.toOne("list", destination: "List", inverse: "items")]),
            EntityDescription(
                "List", relationships: [.toMany("items", destination: "Item", inverse: "list")]),
        ]
        return (
            try ManagedObjectModel(versionIdentifiers: ["1"], entities: one),
            try ManagedObjectModel(versionIdentifiers: ["2"], entities: one)
        )
    }

    /// All mistakes of a mapping are found together, before anything is changed.
    @Test func everyMistakeOfMappingIsNamed() throws {
        let (first, second) = try Self.models()
        let mapping = MappingModel(
            from: first, to: second,
            [
                EntityMapping(
                    name: "a", from: "Item", to: "Item",
                    where: FetchPredicate(.key("color"), .equal, .value(.integer(1))),
                    properties: [
                        .copy("colour"), .copy("name", from: "colour"), .copy("due", from: "name"),
                        .newUUID("size"), .objects("list", from: "name"), .objects("name", from: "list"),
                        .constant("size", .string("big")), .copy("size", whenNil: .string("x")),
                    ]),
                EntityMapping(name: "a", from: "Thing", to: "Item"),
            ])
        let error = #expect(throws: MappingError.self) {
            try ResolvedMapping(mapping, now: Timestamp(secondsSince1970: 0))
        }
        let found = error?.problems.map { "\($0.entity).\($0.property ?? "-")" }
        #expect(
            found == [
                "Item.-", "Item.colour", "Item.name", "Item.due", "Item.size", "Item.list", "Item.name",
                "Item.size", "Item.size", "a.-", "Thing.-", "List.-", "List.-",
            ])
    }

    @Test(arguments: [false, true]) func expressionsAgreeInPlaceAndCopying(copying: Bool) throws {
        let first = try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription("Item", attributes: [.string("name"), .integer32("size"), .date("due")])
            ])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [
                        .string("name"), .integer32("size"), .date("due"), .string("text"), .double("half"),
                        .uuid("token"), .decimal("exact"), .date("moved"),
                    ])
            ])
        let store = TemporaryStore()
        let context = try store.context(first)
        for number in [nil, -7, 0, 2_147_483_647] as [Int64?] {
            let item = try context.insert(entity: "Item")
            try item.setValue(number.map { .integer($0) } ?? .null, of: "size")
            try item.setValue(
                number.map { .date(Timestamp(secondsSince1970: Double($0))) } ?? .null, of: "due")
        }
        try context.save()
        context.coordinator.close()
        var mapping = try MappingModel.inferred(
            from: first, to: second,
            given: [
                "Item": [
                    .computed("text", try .init(format: "size")),
                    .computed("half", try .init(format: "size / 2.0")),
                    .newUUID("token"), .computed("exact", try .init(format: "size")),
                    .computed(
                        "moved", try .init(format: "due + 60"), whenNil: .date(Timestamp(secondsSince1970: 1))
                    ),
                    .computed("size", try .init(format: "size - 1"), whenNil: .integer(5)),
                ]
            ])
        if !copying {
            mapping["Item"]?[property: "half"] = .computed("half", try .init(format: "size * 0.5"))
        }
        let coordinator = PersistentStoreCoordinator(model: second)
        let report = try coordinator.addStore(
            .sqlite(path: store.path),
            migrating: StoreMigration(versions: [first, second], mappings: [mapping]))
        coordinator.close()
        #expect((report?.steps.first?.reasonToCopy != nil) == copying)
        #expect(
            try store.rows("SELECT size, text, half, exact, moved FROM Item ORDER BY id") == [
                "5|NULL|NULL|NULL|1.0", "-8|-7|-3.5|-7|53.0", "-1|0|0.0|0|60.0",
                "2147483646|2147483647|1073741823.5|2147483647|2147483707.0",
            ])
        #expect(try store.rows("SELECT count(DISTINCT token), min(length(token)) FROM Item") == ["4|36"])
        let tokens = try store.rows("SELECT token FROM Item")
        #expect(tokens.allSatisfy { UUIDValue($0)?.description == $0 })
    }

    @Test func mapReturnsIDsAddedInAnyOrder() {
        var generator = SplitMix(state: 7)
        var map = IDMap()
        var expected: [Int64: Set<Int64>] = [:]
        func add(_ key: Int64, _ value: Int64) {
            map.add(key: key, value: value)
            expected[key, default: []].insert(value)
        }
        for id in 1...100 as ClosedRange<Int64> { add(id, id) }
        for id in 1...50 as ClosedRange<Int64> { add(id, id + 1_000) }
        for id in (1...200 as ClosedRange<Int64>).shuffled(using: &generator) { add(id, id * 7 + 5_000) }
        for key in 0...201 as ClosedRange<Int64> {
            #expect(Set(map.values(of: key)) == expected[key] ?? [])
        }
    }
}
