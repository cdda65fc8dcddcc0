import ObjectStore
import Testing

/// Attributes that are derived from a to-many relationship that is its own inverse.
@Suite struct SymmetricDerivationTests {
    final class Person: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var age: Int = 0
        @Attribute(derivedFrom: "friends.@count") var friendCount: Int = 0
        @Attribute(derivedFrom: "friends.@sum.age") var ages: Int = 0
        @Attribute(derivedFrom: "friends.@min.name") var firstFriend: String?
        @ToMany(inverse: \Person.friends) var friends: RelatedObjects<Person>
    }

    let directory = TemporaryStore()

    private func values(_ people: [Person]) -> [String] {
        people.map { "\($0.friendCount) \($0.ages) \($0.firstFriend ?? "-")" }
    }

    private func requireEqual(_ coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        for format in [
            "friendCount == friends.@count", "ages == friends.@sum.age", "firstFriend == friends.@min.name",
        ] {
            let isWrong = try FetchPredicate("NOT (\(format))")
            #expect(try context.count(FetchRequest<Person>(matching: isWrong)) == 0, "\(format)")
        }
    }

    @Test(arguments: TestedStore.allCases)
    func bothEndsAreFollowed(_ kind: TestedStore) throws {
        let model = try ManagedObjectModel(entities: [EntityDescription(Person.self)])
        let context = try kind.context(in: directory, model)
        let people = try ["Anne", "Bob", "Carl", "Dora"].enumerated().map { index, name in
            let person = try context.insert(Person.self)
            (person.name, person.age) = (name, (index + 1) * 10)
            return person
        }
        people[0].friends.insert(people[1])
        people[2].friends.insert(people[1])
        people[3].friends.insert(people[3])
        try context.save()
        #expect(values(people) == ["1 20 Bob", "2 40 Anne", "1 20 Bob", "1 40 Dora"])
        try requireEqual(context.coordinator)
        people[1].age = 25
        people[3].name = "Zoe"
        try context.save()
        #expect(values(people) == ["1 25 Bob", "2 40 Anne", "1 25 Bob", "1 40 Zoe"])
        people[1].friends.remove(people[0])
        try context.save()
        #expect(values(people) == ["0 0 -", "1 30 Carl", "1 25 Bob", "1 40 Zoe"])
        try context.updateAll(FetchRequest<Person>(), setting: ["age": 1])
        #expect(people.map(\.ages) == [0, 1, 1, 1])
        try requireEqual(context.coordinator)
        try context.delete(people[1])
        try context.save()
        #expect(values([people[0], people[2], people[3]]) == ["0 0 -", "0 0 -", "1 1 Zoe"])
        people[3].friends.insert(people[0])
        try context.save()
        #expect(values([people[0], people[3]]) == ["1 1 Zoe", "2 2 Anne"])
        try context.deleteAll(FetchRequest<Person>(matching: FetchPredicate("name == 'Anne'")))
        #expect(values([people[3]]) == ["1 1 Zoe"])
        try requireEqual(context.coordinator)
    }
}
