import ObjectStore
import Testing

/// Quantifiers of typed keys inside one another mean what they say.
@Suite struct QuantifierTests {
    final class Region: ManagedObject {
        @ToMany(inverse: \Town.region) var towns: RelatedObjects<Town>
    }

    final class Town: ManagedObject {
        @Attribute var tags: [String] = []
        @Attribute var size: Int = 0
        @ToOne var region: Region?
        @ToMany(inverse: \Person.towns) var people: RelatedObjects<Person>
    }

    final class Person: ManagedObject {
        @Attribute var age: Int = 0
        @Attribute var tall: Bool = false
        @ToMany(inverse: \Town.people) var towns: RelatedObjects<Town>
    }

    enum Quantifier: CaseIterable {
        case any, all, none

        func holds<Element>(of elements: some Sequence<Element>, _ test: (Element) -> Bool) -> Bool {
            switch self {
            case .any: elements.contains(where: test)
            case .all: elements.allSatisfy(test)
            case .none: !elements.contains(where: test)
            }
        }

        func keys<Element>(_ key: ToManyKey<Element>) -> Keys<Element> {
            switch self {
            case .any: key.any
            case .all: key.all
            case .none: key.none
            }
        }

        func keys<Element>(_ key: ListKey<Element>) -> PropertyKey<Element> {
            switch self {
            case .any: key.any
            case .all: key.all
            case .none: key.none
            }
        }

        func subquery(_ collection: String, _ variable: String, _ condition: String) -> String {
            let condition = self == .all ? "NOT (\(condition))" : condition
            return "SUBQUERY(\(collection), $\(variable), \(condition)).@count \(self == .any ? ">" : "==") 0"
        }
    }

    /// A predicate, the format with the same meaning in subqueries, and the same condition in Swift.
    private struct Sample {
        let predicate: FetchPredicate
        let format: String?
        let holds: (Region) -> Bool

        init(
            _ format: String?, _ condition: (Keys<Region>) -> FetchPredicate,
            _ holds: @escaping (Region) -> Bool
        ) {
            predicate = FetchPredicate(Region.self, condition)
            self.format = format
            self.holds = holds
        }
    }

    private static func samples(_ outer: Quantifier, _ person: Person, _ town: Town) -> [Sample] {
        let id = person.id
        var samples = [
            Sample(
                outer.subquery("towns", "t", "$t.people CONTAINS \(id)"),
                { outer.keys($0.towns).people.contains(person) },
                { outer.holds(of: $0.towns) { $0.people.contains(person) } }),
            Sample(
                outer.subquery("towns", "t", "$t.tags CONTAINS 'a'"),
                { outer.keys($0.towns).tags.contains("a") },
                { outer.holds(of: $0.towns) { $0.tags.contains("a") } }),
            Sample(
                outer.subquery("towns", "t", "$t.people.@count > 1"),
                { outer.keys($0.towns).people.count > 1 },
                { outer.holds(of: $0.towns) { $0.people.count > 1 } }),
            Sample(
                outer.subquery("towns", "t", "$t.tags.@count == 1"),
                { outer.keys($0.towns).tags.count == 1 },
                { outer.holds(of: $0.towns) { $0.tags.count == 1 } }),
            Sample(
                outer.subquery("towns", "t", "$t.people.@max.age >= $t.size"),
                { keys in
                    FetchPredicate.element(outer, of: keys.towns) { $0.people.max(\.age) >= $0.size }
                },
                {
                    outer.holds(of: $0.towns) { town in
                        town.people.map(\.age).max().map { $0 >= town.size } ?? false
                    }
                }
            ),
            Sample(
                outer.subquery(
                    "towns", "t", "SUBQUERY($t.people, $p, $p.age > 2 AND $p.tall == YES).@count > 0"),
                { outer.keys($0.towns).people.contains { $0.age > 2 && $0.tall } },
                { outer.holds(of: $0.towns) { $0.people.contains { $0.age > 2 && $0.tall } } }),
            Sample(
                outer.subquery("towns", "t", "SUBQUERY($t.people, $p, $p.age > $t.size).@count == 1"),
                { keys in
                    FetchPredicate.element(outer, of: keys.towns) { town in
                        town.people.count { $0.age > town.size } == 1
                    }
                },
                { outer.holds(of: $0.towns) { town in town.people.count { $0.age > town.size } == 1 } }),
            Sample(
                nil,
                { outer.keys($0.towns).region.satisfies { $0.towns.count > 1 && $0.towns.any.size == 1 } },
                { region in
                    outer.holds(of: region.towns) { _ in
                        region.towns.count > 1 && region.towns.contains { $0.size == 1 }
                    }
                }),
            Sample(
                outer.subquery("towns", "t", "towns.@count > $t.size"),
                { $0.towns.count > outer.keys($0.towns).size },
                { region in outer.holds(of: region.towns) { region.towns.count > $0.size } }),
        ]
        for inner in Quantifier.allCases {
            samples += Self.samples(outer, inner, town)
            samples += Self.collections(outer, inner, person)
        }
        return samples
    }

    private static func samples(_ outer: Quantifier, _ inner: Quantifier, _ town: Town) -> [Sample] {
        var samples = [
            Sample(
                outer.subquery("towns", "t", inner.subquery("$t.people", "p", "$p.age == 2")),
                { inner.keys(outer.keys($0.towns).people).age == 2 },
                { outer.holds(of: $0.towns) { inner.holds(of: $0.people) { $0.age == 2 } } }),
            Sample(
                outer.subquery("towns", "t", inner.subquery("$t.tags", "s", "$s > 'a'")),
                { inner.keys(outer.keys($0.towns).tags) > "a" },
                { outer.holds(of: $0.towns) { inner.holds(of: $0.tags) { $0 > "a" } } }),
            Sample(
                outer.subquery("towns", "t", inner.subquery("$t.people", "p", "$p.towns.@count > 1")),
                { inner.keys(outer.keys($0.towns).people).towns.count > 1 },
                { outer.holds(of: $0.towns) { inner.holds(of: $0.people) { $0.towns.count > 1 } } }),
            Sample(
                outer.subquery(
                    "towns", "t", inner.subquery("$t.people", "p", "$p.towns CONTAINS \(town.id)")),
                { inner.keys(outer.keys($0.towns).people).towns.contains(town) },
                { outer.holds(of: $0.towns) { inner.holds(of: $0.people) { $0.towns.contains(town) } } }),
            Sample(
                outer.subquery(
                    "towns", "t",
                    inner.subquery(
                        "$t.people", "p", "SUBQUERY($p.towns, $u, $u.tags CONTAINS 'a').@count > 0")
                ),
                { inner.keys(outer.keys($0.towns).people).towns.any.tags.contains("a") },
                {
                    outer.holds(of: $0.towns) {
                        inner.holds(of: $0.people) { $0.towns.contains { $0.tags.contains("a") } }
                    }
                }),
            Sample(
                outer.subquery("towns", "t", inner.subquery("towns", "u", "$t.size < $u.size")),
                { outer.keys($0.towns).size < inner.keys($0.towns).size },
                { region in
                    outer.holds(of: region.towns) { town in
                        inner.holds(of: region.towns) { town.size < $0.size }
                    }
                }),
            Sample(
                outer.subquery("towns", "t", inner.subquery("$t.people", "p", "$p.tall == YES")),
                { !(!inner.keys(outer.keys($0.towns).people).tall) },
                { outer.holds(of: $0.towns) { inner.holds(of: $0.people) { $0.tall } } }),
        ]
        for third in Quantifier.allCases {
            samples.append(
                Sample(
                    outer.subquery(
                        "towns", "t",
                        inner.subquery("$t.people", "p", third.subquery("$p.towns", "u", "$u.size > 1"))),
                    { third.keys(inner.keys(outer.keys($0.towns).people).towns).size > 1 },
                    {
                        outer.holds(of: $0.towns) {
                            inner.holds(of: $0.people) { third.holds(of: $0.towns) { $0.size > 1 } }
                        }
                    }))
        }
        return samples
    }

    /// The collections of the elements of a quantifier that is inside another one.
    private static func collections(
        _ outer: Quantifier, _ inner: Quantifier, _ person: Person
    ) -> [Sample] {
        [
            Sample(
                outer.subquery(
                    "towns", "t", inner.subquery("$t.people", "p", "ANY $p.towns.people == \(person.id)")),
                { inner.keys(outer.keys($0.towns).people).towns.any.people.contains(person) },
                { region in
                    outer.holds(of: region.towns) { town in
                        inner.holds(of: town.people) { $0.towns.contains { $0.people.contains(person) } }
                    }
                }),
            Sample(
                nil,
                { inner.keys(outer.keys($0.towns).people).towns.contains { $0.people.contains(person) } },
                { region in
                    outer.holds(of: region.towns) { town in
                        inner.holds(of: town.people) { $0.towns.contains { $0.people.contains(person) } }
                    }
                }),
        ]
    }

    @Test(arguments: [TestedStore.sqlite, .memory], 1...12 as ClosedRange<UInt64>)
    func nestedQuantifiersMeanTheirSubqueries(_ kind: TestedStore, seed: UInt64) throws {
        let directory = TemporaryStore()
        let context = try kind.context(
            in: directory,
            ManagedObjectModel(entities: [
                EntityDescription(Region.self), EntityDescription(Town.self), EntityDescription(Person.self),
            ]))
        var source = ChoiceSource(seed: seed)
        let (regions, people, towns) = try Self.fill(context, &source)
        for outer in Quantifier.allCases {
            for sample in Self.samples(outer, source.pick(people), source.pick(towns)) {
                let wanted = regions.filter(sample.holds).map(\.id)
                let predicate = sample.predicate
                #expect(try regions.filter { try predicate.matches($0) }.map(\.id) == wanted, "\(predicate)")
                #expect(try Self.ids(predicate, context) == wanted, "\(predicate)")
                #expect(try FetchPredicate(predicate.format) == predicate)
                if let format = sample.format {
                    #expect(try Self.ids(FetchPredicate(format), context) == wanted, "\(format)")
                }
            }
        }
    }

    private static func ids(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> [Int64] {
        try context.ids(FetchRequest<Region>(matching: predicate).ordered(by: \.id))
    }

    private static func fill(
        _ context: ManagedObjectContext, _ source: inout ChoiceSource
    ) throws -> ([Region], [Person], [Town]) {
        let regions = try (0..<8).map { _ in try context.insert(Region.self) }
        let people = try (0..<4).map { _ in try context.insert(Person.self) }
        for person in people {
            person.age = source.number(below: 4)
            person.tall = source.chance(1, in: 2)
        }
        var towns: [Town] = []
        for _ in 0..<10 {
            let town = try context.insert(Town.self)
            town.region = source.pick(regions)
            town.size = source.number(below: 4)
            for tag in ["a", "b"] where source.chance(1, in: 2) { town.tags.append(tag) }
            for person in people where source.chance(1, in: 3) { town.people.insert(person) }
            towns.append(town)
        }
        try context.save()
        return (regions, people, towns)
    }

    @Test func quantifiersPrintAsShortFormats() throws {
        let directory = TemporaryStore()
        let book = try directory.context().insert(Book.self)
        for (predicate, format) in [
            (Book.where { $0.authors.any.books.any.title == "x" }, "ANY authors.books.title == \"x\""),
            (Book.where { $0.authors.all.books.all.title == "x" }, "ALL authors.books.title == \"x\""),
            (Book.where { $0.authors.none.books.any.title == "x" }, "NONE authors.books.title == \"x\""),
            (Book.where { $0.authors.all.books.none.title == "x" }, "NONE authors.books.title == \"x\""),
            (
                Book.where { $0.authors.any.books.none.title == "x" },
                "SUBQUERY(authors, $x, NONE $x.books.title == \"x\").@count > 0"
            ),
            (Book.where { $0.authors.any.books.contains(book) }, "authors.books CONTAINS \(book.id)"),
            (Book.where { $0.authors.none.books.contains(book) }, "NOT authors.books CONTAINS \(book.id)"),
            (
                Book.where { $0.authors.all.books.contains(book) },
                "SUBQUERY(authors, $x, NOT $x.books CONTAINS \(book.id)).@count == 0"
            ),
            (Book.where { $0.title < $0.authors.any.name }, "ANY authors.name > title"),
        ] as [(FetchRequest<Book>, String)] {
            #expect(predicate.predicate.format == format)
        }
    }

    @Test func innerConditionUsesOuterElement() throws {
        let predicate = FetchPredicate(Book.self) { book in
            book.authors.contains { author in
                book.authors.contains { $0.born < author.born } && author.name == .variable("x")
            }
        }
        #expect(
            predicate.format
                == "SUBQUERY(authors, $xx, SUBQUERY(authors, $xxx, $xxx.born < $xx.born).@count > 0 "
                + "AND $xx.name == $x).@count > 0")
    }
}

extension FetchPredicate {
    /// The condition on the elements as a whole.
    fileprivate static func element<Element>(
        _ quantifier: QuantifierTests.Quantifier, of key: ToManyKey<Element>,
        _ condition: (Keys<Element>) -> FetchPredicate
    ) -> FetchPredicate {
        switch quantifier {
        case .any: key.contains(where: condition)
        case .all: key.count { !condition($0) } == 0
        case .none: key.count(where: condition) == 0
        }
    }
}
