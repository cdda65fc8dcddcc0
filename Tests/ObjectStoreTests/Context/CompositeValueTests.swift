import ObjectStore
import TestSupport
import Testing

/// Values of composite attributes that come from other programs, from batch updates and from before the last save.
@Suite struct CompositeValueTests {
    let directory = TemporaryStore()

    enum Kind: String, CaseIterable, AttributeValueConvertible { case house, flat }

    struct Home: CompositeAttribute, Equatable {
        var kind = Kind.flat
        var oldKind: Kind?
        var city: String?
    }

    final class Person: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var place: Int?
        @Composite var home: Home
        @Composite var work: Home?
        @ToOne var boss: Person?
        @ToMany(inverse: \Person.boss, orderedBy: \.place) var staff: RelatedObjects<Person>
    }

    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        try kind.context(
            in: directory, ManagedObjectModel(entities: [EntityDescription(Person.self)]))
    }

    @Test(arguments: TestedStore.allCases) func unknownValueIsInitialValueAndReported(_ kind: TestedStore)
        throws
    {
        let context = try context(kind)
        let person = try context.insert(Person.self)
        (person.home, person.work) = (Home(kind: .house, city: "Oslo"), Home(kind: .house))
        try context.save()
        try person.setValue(.string("yurt"), of: "home.kind")
        try person.setValue(.string("cave"), of: "home.oldKind")
        try context.save()
        #expect(person.home.city == "Oslo" && person.work?.kind == .house)
        #expect(person.home == Home(kind: .flat, oldKind: nil, city: "Oslo"))
        #expect(person.snapshot().home == Home(kind: .flat, oldKind: nil, city: "Oslo"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .contextFailed)
        #expect(error?.message.contains("Person 1.home.") == true, "\(error?.message ?? "")")
        context.rollback()
        #expect(try person.value(of: "home.kind") == .string("yurt"))
        #expect(throws: PropertyError.self) { try person.savedValue(of: \.home) }
    }

    @Test func changesOfPartsAreChangesOfValue() throws {
        let context = try context(.memory)
        let person = try context.insert(Person.self)
        person.home.city = "Oslo"
        try context.save()
        #expect(!person.hasChanges(\.home))
        person.name = "a"
        #expect(!person.hasChanges(\.home) && !person.hasChanges(\.home, \.work))
        person.home.city = "Bergen"
        #expect(person.hasChanges(\.home) && person.hasChanges(\.home.city))
        #expect(!person.hasChanges(\.work) && !person.hasChanges(\.home.kind))
        #expect(try person.savedValue(of: \.home) == Home(city: "Oslo"))
        #expect(try person.savedValue(of: \.work) == nil)
    }

    @Test(arguments: TestedStore.allCases) func updateNeedsRequiredPartsOfOptionalValue(_ kind: TestedStore)
        throws
    {
        let context = try context(kind)
        let person = try context.insert(Person.self)
        try context.save()
        let error = #expect(throws: ValidationError.self) {
            try context.updateAll(Person.all, setting: ["work.city": "Rome"])
        }
        #expect(error?.failures.map(\.property) == ["work.kind"])
        var updates = ObjectUpdates(of: Person.self, setting: ["work.city"])
        updates.append(id: person.id, values: [.string("Rome")])
        #expect(throws: ValidationError.self) { try context.updateEach([updates]) }
        #expect(person.work == nil)
        try context.updateAll(Person.all, setting: ["work.city": "Rome", "work.kind": Kind.house])
        #expect(person.work == Home(kind: .house, city: "Rome"))
        #expect(throws: ValidationError.self) {
            try context.updateAll(Person.all, setting: ["work.kind": Kind?.none])
        }
        try context.updateAll(Person.all, setting: ["work.city": String?.none])
        #expect(person.work == Home(kind: .house))
        try context.updateAll(Person.all) { $0.work = nil }
        #expect(person.work == nil)
    }

    @Test(arguments: TestedStore.allCases) func valueAtPositionIsCompared(_ kind: TestedStore) throws {
        let context = try context(kind)
        let people = try (0..<3).map { _ in try context.insert(Person.self) }
        people[1].boss = people[0]
        people[2].boss = people[0]
        people[1].work = Home(city: "Rome")
        try context.save()
        let ids = { (request: FetchRequest<Person>) in try context.ids(request.ordered(by: \.id)) }
        #expect(try ids(Person.where { $0.staff.first.work == nil }) == [2, 3])
        #expect(try ids(Person.where { $0.staff.first.work == Home(city: "Rome") }) == [1])
        #expect(try ids(Person.where { $0.staff[1].work == nil && $0.staff.count == 2 }) == [1])
        #expect(try ids(Person.where { $0.staff.first.work.city == "Rome" }) == [1])
    }
}
