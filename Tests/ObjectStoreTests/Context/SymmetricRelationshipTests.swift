import ObjectStore
import Testing

/// A to-many relationship that is its own inverse.
@Suite struct SymmetricRelationshipTests {
    final class Person: ManagedObject {
        @Attribute("name") var name: String
        @ToMany("friends") var friends: RelatedObjects<Person>
    }

    let directory = TemporaryStore()

    private static func model(_ version: String = "1", _ rule: DeleteRule = .nullify) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "Person", class: Person.self,
                    attributes: [.string("name", .required)] + (version == "1" ? [] : [.string("city")]),
                    relationships: [
                        .toMany("friends", destination: "Person", inverse: "friends", deleteRule: rule)
                    ])
            ])
    }

    /// Anne and Bob are friends, and so are Bob and Carl. Dora is a friend of herself.
    private func people(_ context: ManagedObjectContext) throws -> [Person] {
        let people = try ["Anne", "Bob", "Carl", "Dora"].map { name in
            let person = try context.insert(Person.self)
            person.name = name
            return person
        }
        people[0].friends.insert(people[1])
        people[2].friends.insert(people[1])
        people[3].friends.insert(people[3])
        return people
    }

    private func friends(_ context: ManagedObjectContext) throws -> [[String]] {
        try context.objects(of: Person.self, orderedBy: [FetchOrder("id")]).map { $0.friends.map(\.name) }
    }

    private let expected = [["Bob"], ["Anne", "Carl"], ["Bob"], ["Dora"]]

    @Test(arguments: TestedStore.allCases)
    func bothEndsHaveEachOther(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let people = try people(context)
        #expect(try friends(context) == expected)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try friends(other) == expected)
        people[1].friends.remove(people[0])
        people[3].friends.remove(people[3])
        #expect(people[0].friends.isEmpty)
        try context.save()
        #expect(
            try friends(ManagedObjectContext(coordinator: context.coordinator)) == [
                [], ["Carl"], ["Bob"], [],
            ])
    }

    @Test(arguments: TestedStore.inFiles)
    func pairsAreInTheFile(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        _ = try people(context)
        try context.save()
        context.coordinator.close()
        #expect(try friends(kind.context(in: directory, Self.model())) == expected)
    }

    @Test(arguments: TestedStore.allCases)
    func predicatesFollowBothDirections(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        _ = try people(context)
        try context.save()
        for (format, ids) in [
            ("ANY friends.name == 'Bob'", [1, 3]), ("friends.@count == 2", [2]), ("ANY friends == 1", [2]),
            ("ANY friends.friends.name == 'Carl'", [1, 3]), ("NONE friends == SELF", [1, 2, 3]),
        ] as [(String, [Int64])] {
            let request = FetchRequest<Person>(
                matching: try FetchPredicate(format), orderedBy: [FetchOrder("id")])
            #expect(try context.ids(request) == ids, "\(format)")
            #expect(
                try context.objects(of: Person.self).filter { try request.predicate.matches($0) }.map(\.id)
                    == ids)
        }
        let found = try context.fetch(
            FetchRequest<Person>(orderedBy: [FetchOrder("id")], prefetching: ["friends"]))
        #expect(found.map { $0.friends.map(\.name) } == expected)
    }

    @Test(arguments: TestedStore.allCases)
    func deletionEndsFriendships(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let people = try people(context)
        try context.save()
        try context.delete(people[1])
        try context.delete(people[3])
        try context.save()
        #expect(try friends(ManagedObjectContext(coordinator: context.coordinator)) == [[], []])
        people[0].friends.insert(people[2])
        try context.save()
        try context.deleteAll(FetchRequest<Person>(matching: FetchPredicate("name == 'Carl'")))
        #expect(try friends(context) == [[]])
        #expect(try friends(ManagedObjectContext(coordinator: context.coordinator)) == [[]])
    }

    @Test(arguments: TestedStore.allCases)
    func deleteAllEndsUnsavedFriendships(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let people = try people(context)
        try context.save()
        people[2].friends.replace(with: [people[0], people[2], people[3]])
        try context.deleteAll(FetchRequest<Person>(matching: FetchPredicate("name == 'Carl'")))
        #expect(!people[0].hasChanges && !people[3].hasChanges)
        try context.save()
        let saved = try friends(ManagedObjectContext(coordinator: context.coordinator))
        #expect(try saved == friends(context) && !saved.joined().contains("Carl"))
    }

    @Test(arguments: TestedStore.allCases)
    func friendsPreventOrShareDeletion(_ kind: TestedStore) throws {
        let denying = try kind.context(in: directory, Self.model("1", .deny))
        let held = try people(denying)
        #expect(throws: DeleteDeniedError.self) { try denying.delete(held[0]) }
        let other = TemporaryStore()
        let cascading = try kind.context(in: other, Self.model("1", .cascade))
        let people = try people(cascading)
        try cascading.save()
        try cascading.delete(people[0])
        try cascading.save()
        #expect(try cascading.objects(of: Person.self).map(\.name) == ["Dora"])
    }

    @Test(arguments: TestedStore.allCases)
    func changesAreUndoneAndDiscarded(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let people = try people(context)
        try context.save()
        context.undoLevels = 3
        people[0].friends.insert(people[2])
        people[0].friends.remove(people[1])
        context.undo()
        #expect(try friends(context) == expected)
        people[0].friends.insert(people[2])
        try context.refresh(people[0])
        #expect(try friends(context) == expected)
        #expect(!context.hasChanges)
        people[2].friends.insert(people[0])
        context.rollback()
        #expect(try friends(context) == expected)
    }

    @Test(arguments: TestedStore.inFiles)
    func migrationKeepsPairs(_ kind: TestedStore) throws {
        let (old, new) = (try Self.model(), try Self.model("2"))
        let context = try kind.context(in: directory, old)
        _ = try people(context)
        try context.save()
        context.coordinator.close()
        let coordinator = PersistentStoreCoordinator(model: new)
        let store = StoreConfiguration(try #require(kind.storeKind), path: kind.path(in: directory))
        try coordinator.addStore(store, migrating: StoreMigration(versions: [old, new]))
        let migrated = ManagedObjectContext(coordinator: coordinator)
        #expect(try friends(migrated) == expected)
        #expect(
            try migrated.count(FetchRequest<Person>(matching: FetchPredicate("friends.@count == 2"))) == 1)
    }
}
