import ObjectStore
import Testing

/// Expressions of derived attributes that a model refuses, and their part in its version.
@Suite struct DerivedAttributeModelTests {
    static let refusals: [(attribute: AttributeDescription, problem: String)] = [
        (.string("x").derived(from: "lowercase("), "found the end"),
        (.string("x").derived(from: "missing"), "the unknown key missing"),
        (.integer64("x").derived(from: "shelf.works.@count"), "two relationships"),
        (.integer64("x").derived(from: "title"), "the value is text, but the attribute is integer64"),
        (.string("x").derived(from: "$name"), "name"),
        (.string("x").derived(from: "nil"), "the value is nil"),
        (.date("x").derived(from: "now()"), "now()"),
        (.string("x").derived(from: "TERNARY(now() > CAST(0, 'NSDate'), title, nil)"), "now()"),
        (.string("x").derived(from: "lowercase(x)"), "from itself"),
        (.string("x").derived(from: "y"), "from itself"),
        (.string("x", .unique).derived(from: "title"), "the rule unique"),
        (.string("x", .length(1...2)).derived(from: "title"), "the rule length"),
        (.list("x", of: .string).derived(from: "title"), "cannot be a list"),
    ]

    @Test(arguments: refusals)
    func modelRefusesDerivation(_ sample: (attribute: AttributeDescription, problem: String)) {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Work",
                    attributes: [.string("title"), sample.attribute, .string("y").derived(from: "x")],
                    relationships: [.toOne("shelf", destination: "Shelf", inverse: "works")]),
                EntityDescription(
                    "Shelf", attributes: [.string("name")],
                    relationships: [.toMany("works", destination: "Work", inverse: "shelf")]),
            ])
        }
        #expect(error?.code == .invalidDerivation && error?.entity == "Work" && error?.property == "x")
        #expect(error?.message.contains(sample.problem) == true, "\(error?.message ?? "")")
    }

    @Test func modelRefusesOtherUsesOfDerivedAttribute() {
        let derived = AttributeDescription.integer64("x").derived(from: "n")
        let models: [[EntityDescription]] = [
            [EntityDescription("A", attributes: [.integer64("n"), derived], uniqueness: [["n", "x"]])],
            [
                EntityDescription("A", attributes: [.integer64("n"), derived]),
                EntityDescription(
                    "B", attributes: [.integer64("m")], uniqueness: [["m", "x"]], parent: "A"),
            ],
            [
                EntityDescription(
                    "A", attributes: [.integer64("n"), derived],
                    relationships: [.toOne("list", destination: "L", inverse: "members")]),
                EntityDescription(
                    "L",
                    relationships: [
                        .toMany("members", destination: "A", inverse: "list", orderedBy: "x")
                    ]),
            ],
        ]
        for entities in models {
            let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
            #expect(error?.code == .invalidDerivation && error?.entity == "A" && error?.property == "x")
        }
    }

    @Test func versionHashDependsOnExpression() throws {
        let hashes = try [nil, "lowercase(name)", "uppercase(name)"].map { expression in
            var key = AttributeDescription.string("key")
            key.derivedFrom = expression
            return try ManagedObjectModel(entities: [
                EntityDescription("Item", attributes: [.string("name"), key])
            ]).canonicalText
        }
        #expect(hashes[0] == "entity Item\nattribute key string optional\nattribute name string optional\n")
        #expect(
            hashes[1]
                == "entity Item\nattribute key string optional derived from lowercase(name)\n"
                + "attribute name string optional\n")
        #expect(hashes[2] != hashes[1])
        let required = AttributeDescription.string("key", default: "a\"b").derived(from: "name")
        #expect(
            try ManagedObjectModel(entities: [
                EntityDescription("Item", attributes: [.string("name"), required])
            ]).canonicalText.contains(#"attribute key string required derived from name else "a\"b""#))
    }
}
