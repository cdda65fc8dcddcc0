import ObjectStore
import Testing

@Suite struct MappingInferenceTests {
    private static func model(_ version: String, _ entities: [EntityDescription]) throws -> ManagedObjectModel
    {
        try ManagedObjectModel(versionIdentifiers: [version], entities: entities)
    }

    private static func inferred(
        _ before: [EntityDescription], _ after: [EntityDescription]
    ) throws -> MappingModel {
        try .inferred(from: model("1", before), to: model("2", after))
    }

    private static func problems(_ before: [EntityDescription], _ after: [EntityDescription]) throws
        -> [String]
    {
        do {
            _ = try inferred(before, after)
            return []
        } catch let error as MappingError {
            return error.problems.map(\.description)
        }
    }

    struct AttributeCase: Sendable, CustomTestStringConvertible {
        let before: [AttributeDescription]
        let after: [AttributeDescription]
        /// The beginning of the problem, or `nil` if there is none.
        let problem: String?

        init(_ before: AttributeDescription?, _ after: AttributeDescription?, _ problem: String? = nil) {
            self.before = before.map { [$0] } ?? []
            self.after = after.map { [$0] } ?? []
            self.problem = problem
        }

        var testDescription: String { "\(before) to \(after)" }
    }

    @Test(arguments: [
        AttributeCase(nil, .string("a")),
        AttributeCase(nil, .string("a", .required, default: "x")),
        AttributeCase(nil, .string("a", .required), "E.a: is new and required but has no default"),
        AttributeCase(.string("a"), nil),
        AttributeCase(.string("a"), .string("b", renamedFrom: "a")),
        AttributeCase(.string("a"), .string("a", renamedFrom: "older")),
        AttributeCase(.string("a"), .string("a", .required, default: "x")),
        AttributeCase(.string("a"), .string("a", .required), "E.a: was optional and is required"),
        AttributeCase(.string("a", .required), .string("a")),
        AttributeCase(.integer16("a"), .integer64("a")),
        AttributeCase(.integer32("a"), .double("a")),
        AttributeCase(.integer64("a"), .string("a")),
        AttributeCase(.boolean("a"), .integer16("a")),
        AttributeCase(.uuid("a"), .string("a")),
        AttributeCase(
            .integer64("a"), .integer32("a"), "E.a: was integer64 and is integer32, which could lose"),
        AttributeCase(.integer64("a"), .double("a"), "E.a: was integer64 and is double"),
        AttributeCase(.string("a"), .date("a"), "E.a: was string and is date"),
        AttributeCase(.date("a"), .string("a"), "E.a: was date and is string"),
    ])
    func attributeChangesAreInferredOrRefused(_ example: AttributeCase) throws {
        let problems = try Self.problems(
            [EntityDescription("E", attributes: example.before)],
            [EntityDescription("E", attributes: example.after)])
        #expect(problems.count == (example.problem == nil ? 0 : 1))
        if let problem = example.problem { #expect(problems.first?.hasPrefix(problem) == true) }
    }

    @Test func attributesKeepTheirValues() throws {
        let mapping = try Self.inferred(
            [EntityDescription("E", attributes: [.string("a"), .string("b"), .string("c")])],
            [
                EntityDescription(
                    "E",
                    attributes: [
                        .string("a"), .string("x", renamedFrom: "b"), .string("c", .required, default: "d"),
                    ])
            ])
        #expect(
            mapping["E"]?.properties == [
                .copy("a"), .copy("x", from: "b"), .copy("c", whenNil: .string("d")),
            ])
    }

    /// O12: An attribute with the former name of a renamed one is new.
    @Test func attributeWithTheNameOfARenamedOneStartsWithItsDefault() throws {
        let before = [EntityDescription("E", attributes: [.string("a"), .string("b")])]
        let reused = [
            EntityDescription(
                "E",
                attributes: [
                    .string("a", .required, default: "new"), .string("x", renamedFrom: "a"),
                    .date("b"), .string("y", renamedFrom: "b"),
                ])
        ]
        #expect(
            try Self.inferred(before, reused)["E"]?.properties == [
                .copy("x", from: "a"), .copy("y", from: "b"),
            ])
        let swapped = [
            EntityDescription(
                "E", attributes: [.string("b", renamedFrom: "a"), .string("a", renamedFrom: "b")])
        ]
        #expect(
            try Self.inferred(before, swapped)["E"]?.properties == [
                .copy("b", from: "a"), .copy("a", from: "b"),
            ])
        let kept = [
            EntityDescription(
                "E",
                attributes: [.string("a", renamedFrom: "a"), .string("x", renamedFrom: "a"), .string("b")])
        ]
        #expect(
            try Self.inferred(before, kept)["E"]?.properties == [
                .copy("a"), .copy("x", from: "a"), .copy("b"),
            ])
        let required = [
            EntityDescription(
                "E", attributes: [.string("a", .required), .string("x", renamedFrom: "a"), .string("b")])
        ]
        #expect(try Self.problems(before, required).first?.hasPrefix("E.a: is new and required") == true)
    }

    /// O12: A relationship with the former name of a renamed one is new.
    @Test func relationshipWithTheNameOfARenamedOneIsNew() throws {
        let before = Self.pair(
            .toOne("b", destination: "B", inverse: "as"), .toMany("as", destination: "A", inverse: "b"))
        let after = [
            EntityDescription(
                "A", attributes: [.string("b")],
                relationships: [.toOne("x", destination: "B", inverse: "as", renamedFrom: "b")]),
            EntityDescription("B", relationships: [.toMany("as", destination: "A", inverse: "x")]),
        ]
        #expect(try Self.inferred(before, after)["A"]?.properties == [.objects("x", from: "b")])
        let two = [
            EntityDescription(
                "A",
                relationships: [
                    .toOne("x", destination: "B", inverse: "xs", renamedFrom: "b"),
                    .toOne("b", destination: "B", inverse: "as"),
                ]),
            EntityDescription(
                "B",
                relationships: [
                    .toMany("xs", destination: "A", inverse: "x", renamedFrom: "as"),
                    .toMany("as", destination: "A", inverse: "b"),
                ]),
        ]
        let mapping = try Self.inferred(before, two)
        #expect(mapping["A"]?.properties == [.objects("x", from: "b")])
        #expect(mapping["B"]?.properties == [])
    }

    /// O12: The migrated store has the values under the new name, and the default under the old one.
    @Test(arguments: TestedStore.inFiles)
    func migrationGivesAReusedNameItsDefault(_ kind: TestedStore) throws {
        let directory = TemporaryStore()
        let first = try Self.model(
            "1", [EntityDescription("E", attributes: [.string("a"), .integer32("n")])])
        let second = try Self.model(
            "2",
            [
                EntityDescription(
                    "E",
                    attributes: [
                        .string("a", .required, default: "new"), .string("x", renamedFrom: "a"),
                        .integer32("n"),
                    ])
            ])
        let before = try kind.context(in: directory, first)
        try before.insert(entity: "E").setValue(.string("old"), of: "a")
        try before.save()
        before.coordinator.close()
        let path = kind.path(in: directory)
        let store: StoreConfiguration =
            StoreConfiguration(try #require(kind.storeKind), path: path)
        let coordinator = PersistentStoreCoordinator(model: second)
        try coordinator.addStore(store, migrating: StoreMigration(versions: [first, second]))
        let context = ManagedObjectContext(coordinator: coordinator)
        let rows = try context.rows(FetchRequest<ManagedObject>(entity: "E"), of: ["a", "x"])
        #expect(rows.map { [$0[0], $0[1]] } == [[.string("new"), .string("old")]])
    }

    @Test func entitiesAreAddedRemovedAndRenamed() throws {
        let mapping = try Self.inferred(
            [EntityDescription("A"), EntityDescription("B")],
            [EntityDescription("C", renamedFrom: "A"), EntityDescription("D")])
        #expect(mapping.entityMappings.map(\.source) == ["A", nil, "B"])
        #expect(mapping.entityMappings.map(\.destination) == ["C", "D", nil])
    }

    @Test func twoEntitiesFromOneSourceAreRefused() throws {
        let problems = try Self.problems(
            [EntityDescription("A")], [EntityDescription("A"), EntityDescription("B", renamedFrom: "A")])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("B: has the source A, and so does A") == true)
    }

    private static func pair(
        _ one: RelationshipDescription?, _ other: RelationshipDescription?,
        _ attribute: AttributeDescription? = nil
    ) -> [EntityDescription] {
        [
            EntityDescription(
                "A", attributes: attribute.map { [$0] } ?? [], relationships: one.map { [$0] } ?? []),
            EntityDescription("B", relationships: other.map { [$0] } ?? []),
        ]
    }

    @Test func relationshipsAreInferredFromOneEnd() throws {
        let toOne = Self.pair(
            .toOne("b", destination: "B", inverse: "as"), .toMany("as", destination: "A", inverse: "b"))
        let toMany = Self.pair(
            .toMany("b", destination: "B", inverse: "as"), .toMany("as", destination: "A", inverse: "b"))
        let none = Self.pair(nil, nil)
        let required = Self.pair(
            .toOne("b", destination: "B", inverse: "as", optional: false),
            .toMany("as", destination: "A", inverse: "b"))
        #expect(try Self.inferred(toOne, toOne)["A"]?.properties == [.objects("b")])
        #expect(try Self.inferred(toOne, toOne)["B"]?.properties == [])
        #expect(try Self.inferred(toOne, toMany)["A"]?.properties == [.objects("b")])
        #expect(try Self.inferred(none, toOne)["A"]?.properties == [])
        #expect(try Self.inferred(toOne, none)["A"]?.properties == [])
        #expect(try Self.problems(toMany, toOne).first?.hasPrefix("A.b: was to-many and is to-one") == true)
        #expect(
            try Self.problems(toOne, required).first?.hasPrefix("A.b: was optional and is required") == true)
        #expect(try Self.problems(none, required).first?.hasPrefix("A.b: is new and required") == true)
        let attribute = Self.pair(nil, nil, .string("b"))
        #expect(try Self.problems(attribute, toOne).first?.hasPrefix("A.b: was an attribute") == true)
        #expect(try Self.problems(toOne, attribute).first?.hasPrefix("A.b: was a relationship") == true)
    }

    @Test func everyProblemIsNamed() throws {
        let error = #expect(throws: MappingError.self) {
            try Self.inferred(
                [EntityDescription("E", attributes: [.date("a")])],
                [EntityDescription("E", attributes: [.string("a"), .string("b", .required)])])
        }
        #expect(error?.problems.map(\.property) == ["a", "b"])
        #expect(error?.description.hasPrefix("model 1 cannot be mapped to model 2: E.a: ") == true)
    }
}
