import ObjectStore
import TestSupport
import Testing

/// Classes with attributes that are derived from related objects.
enum Poets {
    final class Poet: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var note: String?
        @Attribute(derivedFrom: "poems.@count") var poemCount: Int = 0
        @Attribute(derivedFrom: "poems.@sum.lines") var lineSum: Int = 0
        @Attribute(derivedFrom: "poems.@max.lines") var longest: Int?
        @Attribute(derivedFrom: "poems.@avg.lines") var average: Double?
        @Attribute(derivedFrom: "poems.@sum.score") var scoreSum: Int = 0
        @Attribute(derivedFrom: "SUBQUERY(poems, $p, $p.lines > 14 AND $p.tags.@count > 0).@count")
        var tagged: Int = 0
        // Declared before the attribute that it uses.
        @Attribute(derivedFrom: "TERNARY(poemCount > 2, 'many', name)") var fame: String?
        @Attribute(derivedFrom: "TERNARY(ANY poems.title == 'Ode', 'yes', 'no')") var hasOde: String?
        @Attribute(derivedFrom: "themes.@count") var themeCount: Int = 0
        @Attribute(derivedFrom: "themes.@sum.weight") var themeWeight: Int = 0
        @Attribute(derivedFrom: "pupils.@count") var pupilCount: Int = 0
        @Attribute(derivedFrom: "teacher.name") var teacherName: String?
        @ToMany(inverse: \Poem.poet) var poems: RelatedObjects<Poem>
        @ToMany(inverse: \Theme.poets) var themes: RelatedObjects<Theme>
        @ToMany(inverse: \Poet.teacher) var pupils: RelatedObjects<Poet>
        @ToOne var teacher: Poet?
    }

    final class Poem: ManagedObject {
        @Attribute var title: String = ""
        @Attribute var lines: Int = 0
        @Attribute var tags: [String] = []
        @Attribute(derivedFrom: "lines * 2") var score: Int = 0
        @Attribute(derivedFrom: "uppercase(poet.name)") var poetName: String = "NONE"
        @Attribute(derivedFrom: "verses.@count") var verseCount: Int = 0
        @ToOne var poet: Poet?
        @ToMany(inverse: \Verse.poem, deleteRule: .cascade) var verses: RelatedObjects<Verse>
    }

    final class Verse: ManagedObject {
        @Attribute var text: String?
        @Attribute(derivedFrom: "poem.title") var title: String?
        @ToOne var poem: Poem?
    }

    final class Theme: ManagedObject {
        @Attribute var weight: Int = 1
        @Attribute(derivedFrom: "poets.@min.name") var firstPoet: String?
        @ToMany var poets: RelatedObjects<Poet>
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Poet.self, indexedBy: .index(\.poemCount)), EntityDescription(Poem.self),
            EntityDescription(Verse.self), EntityDescription(Theme.self),
        ])
    }

    /// Every derived value equals its expression in a request.
    static let claims: [(entity: String, format: String)] = [
        ("Poet", "poemCount == poems.@count"), ("Poet", "lineSum == poems.@sum.lines"),
        ("Poet", "longest == poems.@max.lines"), ("Poet", "average == poems.@avg.lines"),
        ("Poet", "scoreSum == poems.@sum.lines * 2"),
        ("Poet", "tagged == SUBQUERY(poems, $p, $p.lines > 14 AND $p.tags.@count > 0).@count"),
        ("Poet", "fame == TERNARY(poems.@count > 2, 'many', name)"),
        ("Poet", "hasOde == TERNARY(ANY poems.title == 'Ode', 'yes', 'no')"),
        ("Poet", "themeCount == themes.@count"), ("Poet", "themeWeight == themes.@sum.weight"),
        ("Poet", "pupilCount == pupils.@count"), ("Poet", "teacherName == teacher.name"),
        ("Poem", "poetName == TERNARY(poet.name == nil, 'NONE', uppercase(poet.name))"),
        ("Poem", "verseCount == verses.@count"), ("Poem", "score == lines * 2"),
        ("Verse", "title == poem.title"), ("Theme", "firstPoet == poets.@min.name"),
    ]
}

/// A suite of tests with a store of poets.
protocol PoetSuite {
    var directory: TemporaryStore { get }
}

extension PoetSuite {
    typealias Poet = Poets.Poet
    typealias Poem = Poets.Poem
    typealias Verse = Poets.Verse
    typealias Theme = Poets.Theme

    func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        try kind.context(in: directory, Poets.model())
    }

    func requireEqual(
        _ coordinator: PersistentStoreCoordinator, _ comment: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try requireEqual(ManagedObjectContext(coordinator: coordinator), comment, location)
    }

    /// Requires that the values are right with the unsaved changes of a context.
    func requireEqual(
        _ context: ManagedObjectContext, _ comment: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for claim in Poets.claims {
            let wrong = try context.rows(
                FetchRequest<ManagedObject>(
                    entity: claim.entity, matching: FetchPredicate("NOT (\(claim.format))")), of: ["id"])
            #expect(wrong.count == 0, "\(claim.entity) \(claim.format) \(comment)", sourceLocation: location)
        }
    }

    func poet(_ name: String, _ context: ManagedObjectContext) throws -> Poet {
        let poet = try context.insert(Poet.self)
        poet.name = name
        return poet
    }

    @discardableResult
    func poem(_ title: String, lines: Int, _ poet: Poet?, _ context: ManagedObjectContext) throws
        -> Poem
    {
        let poem = try context.insert(Poem.self)
        (poem.title, poem.lines, poem.poet) = (title, lines, poet)
        return poem
    }
}
