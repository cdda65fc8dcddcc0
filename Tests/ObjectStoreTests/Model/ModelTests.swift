import ObjectStore
import Testing

@Suite struct ModelTests {
    @Test func validModelIsBuilt() throws {
        let model = try Library.model()
        #expect(model.entities.map(\.name) == ["Book", "Author", "Publisher", "Cover"])
        #expect(model.entity(of: Author.self)?.name == "Author")
        let book = try #require(model.entity(named: "Book"))
        #expect(
            book.columns.map(\.name)
                == ["title", "published", "pages", "inPrint", "isbn", "rating", "publisher", "cover"])
        #expect(book.toMany.map(\.name) == ["authors"])
        #expect(book.relationship(named: "authors")?.link?.table == "Author_books")
    }

    // MARK: - Refusals

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: ModelError.Code
        let error: String
        let entities: [EntityDescription]

        init(_ error: String, _ code: ModelError.Code, _ entities: EntityDescription...) {
            testDescription = error
            self.code = code
            self.error = error
            self.entities = entities
        }
    }

    static let other = EntityDescription(
        "B", relationships: [.toMany("many", destination: "A", inverse: "one")])

    @Test(arguments: [
        Case(
            "A: the model has two entities of this name", .duplicateEntity, EntityDescription("A"),
            EntityDescription("A")),
        Case(
            "a: differs from the entity A only in case", .duplicateEntity, EntityDescription("A"),
            EntityDescription("a")),
        Case(
            "A B: a name is made of ASCII letters, digits and _, and begins with a letter", .invalidName,
            EntityDescription("A B")),
        Case(
            "sqlite_A: names that begin with sqlite_ belong to SQLite", .invalidName,
            EntityDescription("sqlite_A")
        ),
        Case(
            "A.Id: every object has an id already; choose another name", .invalidName,
            EntityDescription("A", attributes: [.string("Id")])),
        Case(
            "A.X: the entity has two properties of this name, ignoring case",
            .duplicateProperty, EntityDescription("A", attributes: [.string("x"), .date("X")])),
        Case(
            "A.one: has the destination B, which is not in the model", .unknownDestination,
            EntityDescription("A", relationships: [.toOne("one", destination: "B", inverse: "many")])),
        Case(
            "A.one: its inverse B.back does not exist", .missingInverse,
            EntityDescription("A", relationships: [.toOne("one", destination: "B", inverse: "back")]), other),
        Case(
            "A.two: the inverse of its inverse B.many is A.one", .inverseMismatch,
            EntityDescription(
                "A",
                relationships: [
                    .toOne("one", destination: "B", inverse: "many"),
                    .toOne("two", destination: "B", inverse: "many"),
                ]), other),
        Case(
            "A.n: the default is of the type integer or too large for integer16", .invalidDefault,
            EntityDescription(
                "A", attributes: [AttributeDescription("n", .integer16, default: .integer(70_000))])),
        Case(
            "A.d: the rule length applies to strings and binary values only", .invalidRule,
            EntityDescription("A", attributes: [.date("d", .length(1...2))])),
        Case(
            "A.n: the rule range has a bound that is not of the type integer64", .invalidRule,
            EntityDescription("A", attributes: [.integer64("n", .range(0.5...1.5))])),
        Case(
            "A.s: the rule pattern is not a regular expression: missing closing parenthesis", .invalidRule,
            EntityDescription("A", attributes: [.string("s", .pattern("(a"))])),
        Case(
            "A.b: the rule unique does not apply to binary values", .invalidRule,
            EntityDescription("A", attributes: [.binary("b", .unique)])),
        Case(
            "A.x: an index names it, but the entity has no attribute or to-one relationship of this name",
            .invalidIndex, EntityDescription("A", indexes: [.index("x")])),
        Case(
            "B_as: a many-to-many relationship keeps its pairs in a table of this name; rename the entity",
            .duplicateEntity,
            EntityDescription("C", relationships: [.toMany("bs", destination: "B", inverse: "as")]),
            EntityDescription("B", relationships: [.toMany("as", destination: "C", inverse: "bs")]),
            EntityDescription("B_as")),
    ])
    func invalidModelIsRefused(_ test: Case) throws {
        let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: test.entities) }
        #expect(error?.description == test.error)
        #expect(error?.code == test.code)
    }

    @Test func indexConditionHasToBeConstant() throws {
        let condition = FetchPredicate(.key("title"), .equal, .key("isbn"), options: .caseInsensitive)
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "A", attributes: [.string("title"), .string("isbn")],
                    indexes: [.index("title", where: condition)])
            ])
        }
        #expect(error?.code == .invalidIndex)
    }

    // MARK: - Hash

    @Test func hashIsThatOfCanonicalText() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "B", attributes: [.string("name", .required)],
                relationships: [.toMany("many", destination: "A", inverse: "one")]),
            EntityDescription(
                "A", attributes: [.date("when"), .boolean("done", default: false)],
                relationships: [.toOne("one", destination: "B", inverse: "many")]),
        ])
        #expect(
            model.canonicalText == """
                entity A
                attribute done boolean required
                attribute when date optional
                relationship one toOne B.many optional
                entity B
                attribute name string required
                relationship many toMany A.one optional

                """)
        // Computed from the same text with printf and sha256sum.
        #expect(model.versionHash == "50db5be0997afd64160493c176621e324fe029040533ba4d6b8d6883e63ca70a")
    }

    @Test func hashCoversOnlyStoredProperties() throws {
        func hash(_ attribute: AttributeDescription, _ indexes: [IndexDescription] = []) throws -> String {
            try ManagedObjectModel(entities: [
                EntityDescription("A", attributes: [attribute], indexes: indexes)
            ])
            .versionHash
        }
        let plain = try hash(.string("x"))
        #expect(try hash(.string("x", .length(1...3), .unique)) == plain)
        #expect(try hash(.string("x", renamedFrom: "y"), [.index("x")]) == plain)
        #expect(try hash(.string("x", default: "", optional: true)) == plain)
        #expect(try hash(.string("x", .required)) != plain)
        #expect(try hash(.uri("x")) != plain)
        #expect(try hash(.string("y")) != plain)
    }

    @Test func hashCoversFormerNamesThatAreReused() throws {
        func hash(_ attributes: [(name: String, renamedFrom: String?)]) throws -> String {
            let attributes = attributes.map {
                AttributeDescription.string($0.name, renamedFrom: $0.renamedFrom)
            }
            return try ManagedObjectModel(entities: [EntityDescription("A", attributes: attributes)])
                .versionHash
        }
        let plain = try hash([("x", nil), ("y", nil), ("z", nil)])
        let exchanged = try hash([("x", "y"), ("y", "x"), ("z", nil)])
        let rotated = try hash([("x", "y"), ("y", "z"), ("z", "x")])
        let backwards = try hash([("x", "z"), ("y", "x"), ("z", "y")])
        #expect(Set([plain, exchanged, rotated, backwards]).count == 4)
        let chain = try hash([("x", "y"), ("y", "z"), ("z", nil)])
        let single = try hash([("x", "y"), ("y", nil), ("z", nil)])
        #expect(Set([plain, exchanged, rotated, chain, single]).count == 5)
        #expect(try hash([("x", "x"), ("y", "v"), ("z", "w")]) == plain)
        #expect(try hash([("x", "y"), ("y", "w"), ("z", nil)]) == single)
    }

    @Test func hashCoversReusedNamesOfCompositesAndEntities() throws {
        func model(_ first: String?, _ second: String?) throws -> (parts: String, entities: String) {
            let part = AttributeDescription.string("s")
            return (
                try ManagedObjectModel(entities: [
                    EntityDescription(
                        "A",
                        attributes: [
                            .composite("x", [part], renamedFrom: first),
                            .composite("y", [part], renamedFrom: second),
                        ])
                ]).versionHash,
                try ManagedObjectModel(entities: [
                    EntityDescription("x", attributes: [part], renamedFrom: first),
                    EntityDescription("y", attributes: [part], renamedFrom: second),
                ]).versionHash
            )
        }
        let (plain, exchanged) = (try model(nil, nil), try model("y", "x"))
        #expect(plain.parts != exchanged.parts && plain.entities != exchanged.entities)
        let renamed = try model("y", nil)
        #expect(renamed.parts != plain.parts && renamed.entities != plain.entities)
        #expect(try model(nil, "z") == plain)
    }

    // MARK: - Merging

    @Test func modelsAreMerged() throws {
        let first = try ManagedObjectModel(versionIdentifiers: ["books"], entities: Library.entities())
        let second = try ManagedObjectModel(
            versionIdentifiers: ["loans"],
            entities: Library.entities() + [
                EntityDescription("BackgroundWrite", attributes: [.date("until")])
            ])
        let merged = try ManagedObjectModel(merging: [first, second])
        #expect(merged.entities.map(\.name) == ["Book", "Author", "Publisher", "Cover", "BackgroundWrite"])
        #expect(merged.versionIdentifiers == ["books", "loans"])
        #expect(merged.versionHash == second.versionHash)
        let other = try ManagedObjectModel(entities: [
            EntityDescription("BackgroundWrite", attributes: [.string("until")])
        ])
        let error = #expect(throws: ModelError.self) { try ManagedObjectModel(merging: [second, other]) }
        #expect(error?.code == .mergeConflict)
        #expect(
            error?.description
                == "BackgroundWrite: two of the merged models declare it with different attributes; rename one or make them equal"
        )
    }
}
