import ObjectStore
import TestSupport
import Testing

/// Composite attributes in typed predicates.
@Suite struct CompositeKeyTests {
    typealias Person = CompositeAttributeTests.Person
    typealias Address = CompositeAttributeTests.Address
    typealias Place = CompositeAttributeTests.Place
    typealias Span = CompositeAttributeTests.Span

    let directory = TemporaryStore()

    static func samples() -> [(request: FetchRequest<Person>, format: String)] {
        [
            (Person.where { $0.home.city == "Paris" }, "home.city == 'Paris'"),
            (Person.where { $0.home.isPrivate }, "home.isPrivate == YES"),
            (Person.where { !$0.home.place.isExact }, "home.place.isExact == NO"),
            (Person.where { $0.home.kind == .flat }, "home.kind == 'flat'"),
            (Person.where { $0.work.city == nil }, "work.city == nil"),
            (Person.where { $0.work.isPrivate == true }, "work.isPrivate == YES"),
            (Person.where { $0.work == nil }, "work == nil"),
            (Person.where { $0.work != nil }, "work != nil"),
            (Person.where { $0.home.entrance == nil }, "home.entrance == nil"),
            (Person.where { $0.home.entrance.latitude > 1 }, "home.entrance.latitude > 1.0"),
            (Person.where { $0.work.entrance.isExact == nil }, "work.entrance.isExact == nil"),
            (Person.where { $0.friend.home.city != "x" }, "friend.home.city != 'x'"),
            (Person.where { $0.friend.work == nil }, "friend.work == nil"),
            (Person.where { $0.friends.any.home.street == "x" }, "ANY friends.home.street == 'x'"),
            (
                Person.where { $0.friends.max(\.home.place.latitude) == 2.5 },
                "friends.@max.home.place.latitude == 2.5"
            ),
            (
                Person.where { $0.friends.contains { $0.work == nil } },
                "SUBQUERY(friends, $x, $x.work == nil).@count > 0"
            ),
            (Person.where { $0.home.tags.contains("x") }, "home.tags CONTAINS 'x'"),
            (Person.where { $0.work.tags.count > 1 }, "work.tags.@count > 1"),
            (
                Person.where { $0.span == Span(first: 1, last: nil) },
                "span.first == 1 AND span.last == nil"
            ),
            (
                Person.where { $0.span != Span(first: 1, last: nil) },
                "NOT (span.first == 1 AND span.last == nil)"
            ),
            (
                Person.where { $0.home.place == Place(latitude: 1, longitude: 2, isExact: true) },
                "home.place.latitude == 1.0 AND home.place.longitude == 2.0 AND home.place.isExact == YES"
            ),
        ]
    }

    @Test func typedKeysAndFormatsAreEqual() throws {
        let model = try CompositeAttributeTests.model()
        let entity = try #require(model.entity(of: Person.self))
        for (request, format) in Self.samples() {
            let predicate = try FetchPredicate(format)
            #expect(request.predicate == predicate, "\(format)")
            #expect(try FetchPredicate(request.predicate.description) == predicate, "\(format)")
            try predicate.check(against: entity, in: model)
        }
    }

    @Test func keyPathsOfPartsHaveTheirNames() {
        #expect(FetchOrder(\Person.home.city).key == "home.city")
        #expect(FetchOrder(\Person.home.isPrivate).key == "home.isPrivate")
        #expect(FetchOrder(\Person.home.isChecked).key == "home.isChecked")
        #expect(FetchOrder(\Person.home.kind).key == "home.kind")
        #expect(FetchOrder(\Person.home.tags).key == "home.tags")
        #expect(FetchOrder(\Person.home.place.isExact).key == "home.place.isExact")
        #expect(FetchOrder(\Person.home.place).key == "home.place")
        #expect(FetchOrder(\Person.home.entrance?.latitude).key == "home.entrance.latitude")
        #expect(FetchOrder(\Person.work?.entrance?.isExact).key == "work.entrance.isExact")
        #expect(FetchOrder(\Person.work?.isChecked).key == "work.isChecked")
        #expect(FetchOrder(\Person.work?.place.latitude).key == "work.place.latitude")
        #expect(FetchOrder(\Person.work).key == "work")
        #expect(FetchOrder(\Person.friend?.work?.street).key == "friend.work.street")
        #expect(FetchOrder(\Person.span.first).key == "span.first")
        #expect(FetchOrder(\Person.span.last).key == "span.last")
        #expect(FetchOrder(\Person.years?.last).key == "years.last")
    }

    @Test func computedPropertyOfCompositeIsRefused() async {
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Person.home.summary) }
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Person.home.isKnown) }
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Person.home.shownCity) }
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Person.home.isPrivateOrExact) }
        await #expect(processExitsWith: .failure) { _ = Person.where { $0.home.isKnown } }
    }

    struct Flags: CompositeAttribute {
        var first = false
        var second = false
        var text = "" { didSet { second = true } }
        var isNotFirst: Bool { !first }
        var isFirstOnly: Bool { first && !second }
    }

    final class Door: ManagedObject {
        @Composite var flags: Flags
    }

    struct Switch: CompositeAttribute {
        var isOn: Bool?
    }

    final class Lamp: ManagedObject {
        @Composite var power: Switch
    }

    /// The opposite of one part has the values of another part, if there are few rounds.
    @Test func functionOfPartsIsNoPart() async {
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Door.flags.isNotFirst) }
        await #expect(processExitsWith: .failure) { _ = FetchOrder(\Door.flags.isFirstOnly) }
        await #expect(processExitsWith: .failure) { _ = Door.where { $0.flags.isNotFirst } }
    }

    @Test func partWithObserverHasKey() {
        #expect(FetchOrder(\Door.flags.text).key == "flags.text")
        #expect(Door.where { $0.flags.text == "x" }.predicate.format == "flags.text == \"x\"")
    }

    @Test func comparisonWithValueOfOnePartIsParsedBack() throws {
        for request in [
            Lamp.where { $0.power == Switch(isOn: true) }, Lamp.where { $0.power != Switch(isOn: nil) },
            Lamp.where { $0.power == Switch(isOn: true) || $0.power == Switch(isOn: false) },
        ] {
            #expect(try FetchPredicate(request.predicate.format) == request.predicate)
        }
    }

    static let mistakes: [(format: String, problem: String)] = [
        ("home.citi == 'x'", "perhaps home.city"),
        ("hom.city == 'x'", "perhaps home"),
        ("home == 'x'", "one of its parts: home.isChecked, home.street"),
        ("ANY friends.home == nil", "not after ANY"),
        ("home.city.name == 'x'", "nothing after the attribute"),
        ("home.place == 1", "home.place.latitude"),
    ]

    @Test(arguments: mistakes)
    func mistakesInFormatsNameTheParts(_ sample: (format: String, problem: String)) throws {
        let model = try CompositeAttributeTests.model()
        let entity = try #require(model.entity(of: Person.self))
        let error = #expect(throws: FetchPredicateError.self) {
            try FetchPredicate(sample.format).check(against: entity, in: model)
        }
        #expect(
            "\(error.map(String.init(describing:)) ?? "")".contains(sample.problem),
            "\(String(describing: error))")
    }

    @Test(arguments: TestedStore.allCases)
    func comparisonOfWholeValueAfterQuantifierChecksEachElement(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, CompositeAttributeTests.model())
        let (first, second, friend) = (
            try context.insert(Person.self), try context.insert(Person.self), try context.insert(Person.self)
        )
        (first.name, second.name, friend.name) = ("a", "b", "c")
        first.work = Address(street: "Strand", tags: ["x", "y"])
        // The friend has one part of each value, and the whole of neither.
        friend.span = Span(first: 1, last: nil)
        friend.friend = first
        second.friend = first
        try context.save()
        let requests: [(FetchRequest<Person>, [String])] = [
            (Person.where { $0.friends.any.span == Span(first: 1, last: nil) }, ["a"]),
            (Person.where { $0.friends.any.span == Span(first: 1, last: 3) }, []),
            (Person.where { $0.friends.all.span != Span(first: 1, last: nil) }, ["b", "c"]),
            (Person.where { $0.friends.none.span == Span(first: 3, last: nil) }, ["b", "c"]),
            (Person.where { $0.friends.any.work == nil }, ["a"]),
            (Person.where { $0.friends.any.work != nil }, []),
            (Person.where { $0.friends.all.work == nil }, ["a", "b", "c"]),
            (Person.where { $0.friend.work == Address(street: "Strand", tags: ["x", "y"]) }, ["b", "c"]),
            (Person.where { $0.friend.work == Address(street: "Strand", tags: ["y", "x"]) }, []),
            (Person.where { $0.work == Address(street: "Strand", tags: ["x"]) }, []),
            (Person.where { $0.work != Address(street: "Strand", tags: ["x", "y"]) }, ["b", "c"]),
            (Person.where { $0.home == Address() }, ["a", "b", "c"]),
        ]
        for (request, names) in requests {
            let found = try context.fetch(request.ordered(by: \.name)).map(\.name)
            #expect(found == names, "\(request.predicate)")
            let saved = ManagedObjectContext(coordinator: context.coordinator)
            #expect(try saved.fetch(request.ordered(by: \.name)).map(\.name) == names, "\(request.predicate)")
            #expect(try FetchPredicate(request.predicate.description) == request.predicate)
        }
    }
}

extension CompositeAttributeTests.Address {
    var summary: String { street + (city ?? "") }
    var isKnown: Bool { city != nil }
    var shownCity: String { city ?? street }
    var isPrivateOrExact: Bool { isPrivate || place.isExact }
}
