import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Composite attributes, whose parts are ordinary columns, in all kinds of store.
@Suite struct CompositeAttributeTests {
    let directory = TemporaryStore()

    struct Place: CompositeAttribute, Equatable {
        var latitude = 0.0
        var longitude = 0.0
        var isExact = false
    }

    enum Kind: String, AttributeValueConvertible { case house, flat }

    struct Address: CompositeAttribute, Equatable {
        var isChecked: Bool?
        var street = ""
        var city: String?
        var kind = Kind.house
        var tags: [String] = []
        var place = Place()
        var entrance: Place?
        var isPrivate = false
    }

    struct Span: CompositeAttribute, Equatable {
        var first: Int?
        var last: Int?
    }

    final class Person: ManagedObject {
        @Attribute var name: String = ""
        @Composite var home: Address
        @Composite var work: Address?
        @Composite var years: Span?
        @Composite var span = Span(first: 3, last: nil)
        @ToOne var friend: Person?
        @ToMany(inverse: \Person.friend) var friends: RelatedObjects<Person>
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                Person.self, indexedBy: .index(\.home.city), .search(\.home.street),
                uniqueness: [[\.name, \.work?.street]])
        ])
    }

    static let paris = Address(
        isChecked: true, street: "Rue A", city: "Paris", kind: .flat, tags: ["x", "y"],
        place: Place(latitude: 48.5, longitude: 2, isExact: true),
        entrance: Place(latitude: 1, longitude: 2, isExact: false), isPrivate: true)

    private func context(_ kind: TestedStore = .sqlite) throws -> ManagedObjectContext {
        let context = try kind.context(in: directory, Self.model())
        let person = try context.insert(Person.self)
        (person.name, person.home, person.work) = ("a", Self.paris, Address(street: "Strand", city: "London"))
        let friend = try context.insert(Person.self)
        (friend.name, friend.friend, friend.home.city) = ("b", person, "Rome")
        try context.save()
        return context
    }

    private static func people(_ context: ManagedObjectContext) throws -> [Person] {
        try context.fetch(Person.all.ordered(by: \.name))
    }

    // MARK: - Values

    @Test(arguments: TestedStore.allCases) func valuesAreStoredAndRead(_ kind: TestedStore) throws {
        let saved = try context(kind)
        let context = ManagedObjectContext(coordinator: saved.coordinator)
        let people = try Self.people(context)
        #expect(people[0].home == Self.paris)
        #expect(people[0].work == Address(street: "Strand", city: "London"))
        #expect(people[1].home == Address(city: "Rome") && people[1].work == nil && people[1].years == nil)
        #expect(people[1].span == Span(first: 3, last: nil))
        #expect(people[0].home.place.latitude == 48.5 && people[0].home.entrance?.longitude == 2)
        #expect(try people[0].value(of: "home.place.latitude") == .double(48.5))
        #expect(try people[1].value(of: "work.street") == .null)
    }

    @Test(arguments: TestedStore.inFiles) func valuesAreReadFromFile(_ kind: TestedStore) throws {
        try context(kind).coordinator.close()
        let people = try Self.people(kind.context(in: directory, Self.model()))
        #expect(people[0].home == Self.paris && people[1].home == Address(city: "Rome"))
    }

    @Test(arguments: TestedStore.allCases) func setPartChangesItsColumnOnly(_ kind: TestedStore) throws {
        let context = try context(kind)
        let person = try Self.people(context)[0]
        person.home.city = "Lyon"
        #expect(person.changedProperties == ["home.city"])
        person.home.place.latitude = 45.75
        person.work?.street = "Fleet Street"
        person.work?.entrance = Place()
        #expect(
            Set(person.changedProperties) == [
                "home.city", "home.place.latitude", "work.street", "work.entrance.latitude",
                "work.entrance.longitude", "work.entrance.isExact",
            ])
        person.home = person.home
        #expect(person.changedProperties.count == 6)
        try context.save()
        let other = try Self.people(ManagedObjectContext(coordinator: context.coordinator))[0]
        #expect(other.home.city == "Lyon" && other.home.place.latitude == 45.75)
        #expect(other.work?.entrance == Place() && other.home.street == "Rue A")
        person.home.city = "Metz"
        context.rollback()
        #expect(person.home.city == "Lyon" && !context.hasChanges)
    }

    @Test(arguments: TestedStore.allCases) func nilIsNilInAllParts(_ kind: TestedStore) throws {
        let context = try context(kind)
        let person = try Self.people(context)[0]
        person.work = nil
        // Without a part that has a value, a value cannot be told from nil.
        person.years = Span()
        try context.save()
        let reader = ManagedObjectContext(coordinator: context.coordinator)
        let other = try Self.people(reader)[0]
        #expect(other.work == nil && other.years == nil)
        #expect(try other.value(of: "work.isPrivate") == .null)
        other.years = Span(first: nil, last: 1)
        #expect(other.years == Span(first: nil, last: 1))
    }

    @Test(arguments: TestedStore.allCases) func undoRestoresParts(_ kind: TestedStore) throws {
        let context = try context(kind)
        context.undoLevels = 3
        let person = try Self.people(context)[0]
        person.home.city = "Lyon"
        person.work = nil
        try context.save()
        context.undo()
        #expect(person.home.city == "Paris" && person.work?.street == "Strand")
        context.redo()
        #expect(person.home.city == "Lyon" && person.work == nil)
    }

    @Test(arguments: TestedStore.allCases) func partsAreSetByName(_ kind: TestedStore) throws {
        let context = try context(kind)
        let person = try Self.people(context)[1]
        try person.setValue(.string("Bern"), of: "home.city")
        #expect(person.home.city == "Bern")
        let error = #expect(throws: PropertyError.self) { try person.setValue(.null, of: "span") }
        #expect(
            error?.description
                == "Person.span is a composite attribute; name one of its parts: span.first, span.last")
    }

    @Test(arguments: TestedStore.allCases) func optionalValueNeedsItsRequiredParts(_ kind: TestedStore) throws
    {
        let context = try context(kind)
        let person = try Self.people(context)[1]
        try person.setValue(.string("Bern"), of: "work.city")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(
            error?.failures.map(\.property).sorted() == [
                "work.isPrivate", "work.kind", "work.place.isExact", "work.place.latitude",
                "work.place.longitude", "work.street", "work.tags",
            ])
        #expect(error?.failures.first?.detail == "there is no value, but work has others")
        // Parts without a value have their initial ones.
        #expect(person.work == Address(city: "Bern"))
        person.work = person.work
        try context.save()
        try person.setValue(.double(1), of: "work.entrance.latitude")
        #expect(throws: ValidationError.self) { try context.save() }
    }

    // MARK: - Conflicts

    @Test(arguments: TestedStore.allCases, [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictsAreOfParts(_ kind: TestedStore, _ policy: ManagedObjectContext.ConflictPolicy) throws {
        let context = try context(kind)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let (mine, theirs) = (try Self.people(context)[0], try Self.people(other)[0])
        (mine.home.city, mine.home.tags) = ("Lyon", ["mine"])
        (theirs.home.street, theirs.home.tags, theirs.work) = ("Rue B", ["theirs"], nil)
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
        context.conflictPolicy = policy
        try context.save()
        let reader = ManagedObjectContext(coordinator: context.coordinator)
        let saved = try Self.people(reader)[0]
        #expect(saved.home.city == "Lyon" && saved.home.street == "Rue B" && saved.work == nil)
        #expect(saved.home.tags == (policy == .mineWins ? ["mine"] : ["theirs"]))
        #expect(mine.home == saved.home)
    }

    // MARK: - Requests

    static let conditions: [(format: String, names: [String])] = [
        ("home.city == 'Paris'", ["a"]),
        ("home.city IN {'Rome', 'Oslo'}", ["b"]),
        ("home.street.length == 5 AND home.kind == 'flat'", ["a"]),
        ("work == nil", ["b"]),
        ("work != nil", ["a"]),
        ("home == nil", []),
        ("NOT (work == nil OR home.isPrivate == NO)", ["a"]),
        ("friend.home.city == 'Paris' AND friend.work != nil", ["b"]),
        ("friend.work == nil", ["a"]),
        ("ANY friends.home.city BEGINSWITH 'R'", ["a"]),
        ("friends.@max.home.place.latitude == 0", ["a"]),
        ("SUBQUERY(friends, $x, $x.work == nil AND $x.home.city == 'Rome').@count == 1", ["a"]),
        ("ANY home.tags == 'x'", ["a"]),
        ("home.tags[0] == 'x' AND home.tags.@count == 2", ["a"]),
        ("home.street CONTAINS[search] 'rue'", ["a"]),
        ("home.place.latitude > work.place.latitude", ["a"]),
        ("home.entrance != nil", ["a"]),
        ("home.entrance.latitude == 1", ["a"]),
        ("span.first + span.last == nil", ["a", "b"]),
    ]

    @Test(arguments: TestedStore.allCases, conditions)
    func formatsNameParts(_ kind: TestedStore, _ sample: (format: String, names: [String])) throws {
        let context = try context(kind)
        let predicate = try FetchPredicate(sample.format)
        #expect(try FetchPredicate(predicate.description) == predicate)
        let request = FetchRequest<Person>(matching: predicate, orderedBy: [FetchOrder("name")])
        #expect(try context.fetch(request).map(\.name) == sample.names)
        let people = try Self.people(context)
        #expect(try people.filter { try predicate.matches($0) }.map(\.name) == sample.names)
    }

    @Test(arguments: TestedStore.allCases) func ordersColumnsAndGroupsNameParts(_ kind: TestedStore) throws {
        let context = try context(kind)
        #expect(
            try context.fetch(Person.all.ordered(by: \.home.city, ascending: false)).map(\.name) == [
                "b", "a",
            ])
        #expect(
            try context.fetch(Person.all.ordered(by: \.friend?.home.place.latitude)).map(\.name)
                == ["a", "b"])
        let rows = try context.rows(
            Person.all.ordered(by: \.name), of: \.home.city, \.work?.street, \.home.entrance?.longitude)
        #expect(rows.map(\.0) == ["Paris", "Rome"] && rows.map(\.1) == ["Strand", nil])
        #expect(rows.map(\.2) == [2, nil])
        let groups = try context.rows(
            Person.all, of: .key(\.home.isPrivate), .count, .max(\.home.place.latitude),
            groupedBy: [\.home.isPrivate])
        #expect(groups.map(\.1) == [1, 1] && groups.map(\.2).contains(48.5))
        let error = #expect(throws: FetchError.self) {
            try context.fetch(FetchRequest<Person>(orderedBy: [FetchOrder("span")]))
        }
        #expect(error?.description.contains("name one of its parts: span.first, span.last") == true)
        #expect(throws: FetchError.self) {
            try context.fetch(FetchRequest<Person>(orderedBy: [FetchOrder("home.citi")]))
        }
    }

    @Test(arguments: TestedStore.allCases) func updateAllSetsPartsAndValues(_ kind: TestedStore) throws {
        let context = try context(kind)
        let people = try Self.people(context)
        try context.updateAll(Person.all) { $0[\.home.city] = "Oslo" }
        #expect(people.map(\.home.city) == ["Oslo", "Oslo"])
        try context.updateAll(Person.where { $0.name == "b" }) {
            $0.home = Address(street: "S", tags: ["t"])
            $0.years = Span(first: 1, last: 2)
        }
        #expect(people[1].home == Address(street: "S", tags: ["t"]))
        #expect(people[1].years == Span(first: 1, last: 2) && people[0].years == nil)
        try context.updateAll(Person.all) { $0.years = nil }
        #expect(people[1].years == nil)
        var updates = ObjectUpdates(of: Person.self, setting: [\.home.city, \.span])
        #expect(updates.properties == ["home.city", "span.first", "span.last"])
        updates.append(id: people[0].id, values: [.string("Kyiv"), .integer(1), .null])
        try context.updateEach([updates])
        #expect(people[0].home.city == "Kyiv" && people[0].span == Span(first: 1, last: nil))
    }

    @Test(arguments: TestedStore.allCases) func uniquenessOfPartsIsChecked(_ kind: TestedStore) throws {
        let context = try context(kind)
        let person = try context.insert(Person.self)
        person.name = "a"
        try context.save()
        person.work = Address(street: "Strand")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.first?.property.contains("work.street") == true)
    }

    // MARK: - Snapshots, SQL, history

    @Test func snapshotHasValues() throws {
        let context = try context()
        let snapshot = try Self.people(context)[0].snapshot()
        #expect(snapshot.home == Self.paris && snapshot.work?.city == "London" && snapshot.years == nil)
        #expect(snapshot.home.place.latitude == 48.5)
    }

    @Test func statementsNameColumns() throws {
        let context = try context()
        let rows = try context.sql(
            "SELECT name, \(\Person.home.city) FROM \(Person.self) WHERE \(\Person.home.place.latitude) > \(40)",
            as: (String, String?).self)
        #expect(rows.map(\.1) == ["Paris"])
        let plain = try context.sql(
            "SELECT \"home.city\", \"work.entrance.isExact\" FROM Person ORDER BY name",
            as: (String?, Bool?).self)
        #expect(plain.map(\.0) == ["Paris", "Rome"] && plain.map(\.1) == [nil, nil])
    }

    @Test func historyAndObserversNameParts() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: directory.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let person = try context.insert(Person.self)
        try context.save()
        var names: [String] = []
        let observation = context.observe { event in
            if case .changed(_, let name) = event { names.append(name) }
        }
        person.home.city = "Rome"
        person.years = Span(first: 1, last: nil)
        try context.save()
        observation.cancel()
        #expect(names == ["home.city", "years.first"])
        let changes = try coordinator.history(after: nil).flatMap {
            $0.changes.map { $0.properties.sorted() }
        }
        #expect(changes == [[], ["home.city", "years.first"]])
    }

    @Test func checkOfDatabaseFindsNoProblem() throws {
        try context().coordinator.close()
        let path = TestedStore.sqlite.path(in: directory)
        #expect(try StoreBackup.problems(of: .sqlite(path: path), model: Self.model()).isEmpty)
    }
}
