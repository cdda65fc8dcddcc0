import ObjectStore
import Testing

/// Expressions over relationships that a model refuses.
@Suite struct RelatedDerivationModelTests {
    static let refusals: [(attribute: AttributeDescription, problem: String)] = [
        (.integer64("x").derived(from: "poems.@sum.title"), "a number"),
        (.integer64("x").derived(from: "poems.missing.@count"), "missing"),
        (.integer64("x").derived(from: "poems.verses.@count"), "a path of two relationships"),
        (.string("x").derived(from: "teacher.teacher.title"), "a path of two relationships"),
        (.integer64("x").derived(from: "teacher.poems.@count"), "a path of two relationships"),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.owner.title == 'x').@count"),
            "two relationships"
        ),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.lines > poems.@avg.lines).@count"),
            "two relationships"
        ),
        (.integer64("x", .required).derived(from: "poems.@count"), "give it a default"),
        (.integer64("x").derived(from: "pupils.@sum.count"), "derived from relationships itself"),
        (.integer64("x").derived(from: "teacher.count"), "derived from relationships itself"),
        (.integer64("x").derived(from: "pupils.@sum.x"), "derived from relationships itself"),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.lines > count).@count"),
            "derived from relationships itself"
        ),
        (.integer64("x").derived(from: "y + poems.@count"), "from itself"),
        (.integer64("x").derived(from: "poems[0].lines"), "a position in a relationship"),
        (.integer64("x", .unique).derived(from: "poems.@count"), "the rule unique"),
    ]

    @Test(arguments: refusals)
    func modelRefusesDerivation(_ sample: (attribute: AttributeDescription, problem: String)) {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Poet",
                    attributes: [
                        .string("title"), sample.attribute, .integer64("y").derived(from: "x"),
                        .integer64("count").derived(from: "poems.@count"),
                    ],
                    relationships: [
                        .toMany("poems", destination: "Poem", inverse: "owner", orderedBy: "place"),
                        .toMany("pupils", destination: "Poet", inverse: "teacher"),
                        .toOne("teacher", destination: "Poet", inverse: "pupils"),
                    ]),
                EntityDescription(
                    "Poem", attributes: [.integer64("lines"), .string("title"), .integer64("place")],
                    relationships: [
                        .toOne("owner", destination: "Poet", inverse: "poems"),
                        .toMany("verses", destination: "Verse", inverse: "poem"),
                    ]),
                EntityDescription(
                    "Verse", relationships: [.toOne("poem", destination: "Poem", inverse: "verses")]),
            ])
        }
        #expect(error?.code == .invalidDerivation && error?.entity == "Poet", "\(sample.attribute)")
        #expect(error?.message.contains(sample.problem) == true, "\(error?.message ?? "")")
    }
}
