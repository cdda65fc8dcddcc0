import Foundation
import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Hierarchies with several levels, and relationships of all shapes in them.
@Suite struct DeepHierarchyTests {
    let store = TemporaryStore()

    class Thing: ManagedObject {
        override class var isAbstract: Bool { self == Thing.self }
        @Attribute var name: String?
        @Attribute var place: Int?
        @ToMany("friends", inverse: "friends") var friends: RelatedObjects<Thing>
    }

    class Living: Thing {
        override class var isAbstract: Bool { self == Living.self }
        @Attribute var age: Int = 0
        @ToOne(inverse: \Home.pets, optional: true) var home: Home?
    }

    class Animal: Living {
        @Attribute var legs: Int16 = 4
        @ToOne var keeper: Person?
    }

    final class Bird: Animal {
        @Attribute(.unique) var ring: String?
        @ToOne(inverse: \Person.parrot) var speaker: Person?
    }

    final class Person: Living {
        @ToMany(inverse: \Animal.keeper, orderedBy: \.place, deleteRule: .deny) var animals:
            RelatedObjects<Animal>
        @ToOne var parrot: Bird?
    }

    final class Home: Thing {
        @ToMany(deleteRule: .cascade) var pets: RelatedObjects<Living>
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Bird.self), EntityDescription(Home.self), EntityDescription(Animal.self),
            EntityDescription(Person.self), EntityDescription(Living.self), EntityDescription(Thing.self),
        ])
    }

    @Test(arguments: TestedStore.allCases) func relationshipsOfAllShapesWork(_ kind: TestedStore) throws {
        let context = try kind.context(in: store, Self.model())
        let (home, person) = (try context.insert(Home.self), try context.insert(Person.self))
        let (dog, bird) = (try context.insert(Animal.self), try context.insert(Bird.self))
        for (thing, name) in zip([home, person, dog, bird], ["home", "ann", "rex", "polly"]) {
            thing.name = name
        }
        person.animals.replace(with: [bird, dog])
        bird.speaker = person
        for living in [person, dog, bird] { home.pets.insert(living) }
        person.friends.insert(dog)
        person.friends.insert(person)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let ann = try #require(try other.fetch(Person.all).first)
        #expect(ann.animals.map { "\($0.name ?? "") \(type(of: $0))" } == ["polly Bird", "rex Animal"])
        #expect(ann.parrot?.speaker === ann && ann.home?.pets.count == 3)
        #expect(Set(ann.friends.compactMap(\.name)) == ["rex", "ann"])
        let rex = try #require(try other.fetch(Animal.where { $0.name == "rex" }).first)
        #expect(try rex.friends.all() == [ann])
        #expect(try other.count(Living.where { $0.home.name == "home" }) == 3)
        #expect(try other.count(Person.where { $0.animals.first.name == "polly" }) == 1)
        #expect(try other.count(Person.where { $0.parrot.legs == 4 }) == 1)
        #expect(
            try other.fetch(Thing.all.ordered(by: \.id).prefetching(\.friends)).map(\.entity.name)
                == ["Home", "Person", "Animal", "Bird"])
        #expect(throws: DeleteDeniedError.self) { try other.delete(ann) }
        #expect(throws: DeleteDeniedError.self) { try other.deleteAll(Person.all) }
        let home2 = try #require(try other.fetch(Home.all).first)
        try other.delete(home2)
        try other.save()
        #expect(try other.count(Thing.all) == 0)
    }

    @Test(arguments: TestedStore.allCases) func valuesAreMergedAndMovedInHierarchy(_ kind: TestedStore) throws
    {
        let context = try kind.context(in: store, Self.model())
        let bird = try context.insert(Bird.self)
        (bird.ring, bird.age) = ("r1", 3)
        try context.save()
        context.uniquenessPolicy = .savedObjectWins
        let same = try context.insert(Bird.self)
        (same.ring, same.age) = ("r1", 9)
        let keeper = try context.insert(Person.self)
        keeper.parrot = same
        try context.save()
        #expect(try context.fetch(Bird.all).map(\.age) == [3])
        keeper.animals.insert(bird)
        try context.save()
        #expect(bird.keeper === keeper)
        #expect(try context.updateAll(Living.all, setting: ["age": 7]) == 2)
        #expect(keeper.age == 7 && bird.age == 7)
        #expect(try context.updateAll(Animal.all, setting: ["keeper": Int64?.none]) == 1)
        #expect(bird.keeper == nil && keeper.animals.isEmpty)
        let sums = try context.rows(
            FetchRequest<Living>(orderedBy: [FetchOrder("entity")]), of: ["entity", .sum("age")],
            groupedBy: ["entity"])
        #expect(sums.map { $0[1] } == [.integer(7), .integer(7)])
    }

    @Test func storeOfHierarchyIsConverted() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: "\(store.directory)/first"))
        let context = ManagedObjectContext(coordinator: coordinator)
        let (person, bird) = (try context.insert(Person.self), try context.insert(Bird.self))
        (person.name, bird.ring) = ("ann", "r")
        person.animals.insert(bird)
        person.friends.insert(bird)
        try context.save()
        var current = try #require(coordinator.store)
        for kind in [StoreKind.xml, .binary, .sqlite] {
            current = try coordinator.migrate(
                store: current, to: StoreConfiguration(kind, path: "\(store.directory)/next.\(kind)"))
            let reader = ManagedObjectContext(coordinator: coordinator)
            let ann = try #require(try reader.fetch(Person.where { $0.name == "ann" }).first)
            #expect(try (ann.animals.all().first as? Bird)?.ring == "r" && ann.friends.count == 1, "\(kind)")
        }
    }

    @Test func statementReadsRowsOfItsClass() throws {
        let context = try TestedStore.sqlite.context(in: store, Self.model())
        for age in [1, 2] {
            let (animal, bird) = (try context.insert(Animal.self), try context.insert(Bird.self))
            (animal.age, bird.age) = (age, age * 10)
        }
        try context.save()
        let sum = { (statement: SQLStatement) in try context.sql(statement, as: Int.self).map { $0 } }
        #expect(try sum("SELECT sum(\(\Bird.age)) FROM \(Bird.self)") == [30])
        #expect(try sum("SELECT sum(b.\(\Bird.age)) FROM \(Animal.self) AS b WHERE b.id > \(1)") == [32])
        #expect(try sum("SELECT count(*) FROM \(Thing.self)") == [4])
        #expect(throws: FetchError.self) {
            try context.executeSQL("UPDATE \(Bird.self) SET \(\Bird.age) = 1")
        }
        #expect(
            try context.executeSQL("UPDATE \(Thing.self) SET \(\Bird.age) = 1 WHERE entity = \("Bird")") == 2)
        #expect(try context.fetch(Bird.all).map(\.age) == [1, 1])
    }

    @Test func preparedFetchAndStreamsKnowHierarchy() throws {
        let context = try TestedStore.sqlite.context(in: store, Self.model())
        for name in ["a", "b"] {
            try context.insert(Animal.self).name = name
            try context.insert(Bird.self).name = name
        }
        try context.save()
        let named = try context.prepare(
            Bird.where { $0.name == .variable("name") }.ordered(by: \.id), of: ["name", "entity"])
        #expect(
            try context.rows(named, with: ["name": .string("b")]).map { Array($0.values) } == [
                [.string("b"), .string("Bird")]
            ])
        let stream = try context.stream(Bird.all.ordered(by: \.id))
        var names: [String?] = []
        while let bird = try stream.next() { names.append(bird.name) }
        #expect(names == ["a", "b"])
        let bird = try #require(try context.fetch(Bird.all.ordered(by: \.id)).first)
        let itself = try FetchPredicate("SELF == %@ AND keeper == nil", bird)
        #expect(try context.fetch(FetchRequest<Thing>(matching: itself)) == [bird])
    }

    // MARK: - Migrations

    private static func entity(
        _ name: String, _ attributes: [AttributeDescription], parent: String? = nil, isAbstract: Bool = false,
        renamedFrom: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name, attributes: attributes, renamedFrom: renamedFrom, parent: parent, isAbstract: isAbstract)
    }

    private func migrate(
        _ kind: StoreKind, _ first: [EntityDescription], _ second: [EntityDescription], _ root: String
    ) throws -> [String] {
        let models = try [("1", first), ("2", second)].map {
            try ManagedObjectModel(versionIdentifiers: [$0], entities: $1)
        }
        let configuration = StoreConfiguration(kind, path: "\(store.directory)/migrated.\(kind)")
        let old = PersistentStoreCoordinator(model: models[0])
        try old.addStore(configuration)
        let context = ManagedObjectContext(coordinator: old)
        for description in first where !description.isAbstract {
            let object = try context.insert(entity: description.name)
            for name in ["title", "text"] where object.entity.property(named: name) != nil {
                try object.setValue(.string(description.name), of: name)
            }
        }
        try context.save()
        old.close()
        let new = PersistentStoreCoordinator(model: models[1])
        try new.addStore(configuration, migrating: StoreMigration(versions: models))
        defer { new.close() }
        let migrated = ManagedObjectContext(coordinator: new)
        let objects = try migrated.fetch(
            FetchRequest<ManagedObject>(entity: root, orderedBy: [FetchOrder("entity")]))
        return try objects.map { object in
            let values = try ["title", "text"].filter { object.entity.property(named: $0) != nil }
                .map { "\($0) \(try object.value(of: $0))" }
            return ([object.entity.name] + values).joined(separator: ", ")
        }
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func entitiesGetCommonAbstractParent(_ kind: StoreKind) throws {
        let (title, text) = (AttributeDescription.string("title"), AttributeDescription.string("text"))
        let result = try migrate(
            kind, [Self.entity("Task", [title]), Self.entity("Note", [title, text])],
            [
                Self.entity("Item", [title], isAbstract: true), Self.entity("Task", [], parent: "Item"),
                Self.entity("Note", [text], parent: "Item"),
            ], "Item")
        #expect(
            result == [
                "Note, title \(AttributeValue.string("Note")), text \(AttributeValue.string("Note"))",
                "Task, title \(AttributeValue.string("Task"))",
            ])
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func attributesMoveInHierarchy(_ kind: StoreKind) throws {
        let (title, text) = (AttributeDescription.string("title"), AttributeDescription.string("text"))
        let result = try migrate(
            kind,
            [
                Self.entity("Item", [title]), Self.entity("Task", [], parent: "Item"),
                Self.entity("Note", [text], parent: "Item"),
            ],
            [
                Self.entity("Entry", [text], renamedFrom: "Item"),
                Self.entity("Task", [title], parent: "Entry"),
                Self.entity("Note", [], parent: "Entry"),
            ], "Entry")
        #expect(
            result == [
                "Entry, text \(AttributeValue.null)", "Note, text \(AttributeValue.string("Note"))",
                "Task, title \(AttributeValue.string("Task")), text \(AttributeValue.null)",
            ])
    }

    // MARK: - Objects of other entities

    private struct Inserted: DecodableWithConfiguration {
        let object: Person

        init(from decoder: any Decoder, configuration: (ObjectCoding<Person>, ManagedObjectContext)) throws {
            object = try configuration.0.insert(into: configuration.1, from: decoder)
        }
    }

    @Test func decodedMemberOfOtherEntityIsRefused() throws {
        let context = try TestedStore.memory.context(in: store, Self.model())
        let home = try context.insert(Home.self)
        let json = Data("{\"name\":\"ann\",\"animals\":[\(home.id)]}".utf8)
        let error = try #require(throws: ObjectCodingError.self) {
            try JSONDecoder().decode(
                Inserted.self, from: json, configuration: (ObjectCoding(\.name, \.animals), context))
        }
        #expect(error.description == "Person.animals refers to Thing 1, which is of the entity Home")
        #expect(try context.count(Person.all) == 0)
    }

    @Test(arguments: TestedStore.allCases)
    func childDoesNotReuseIDOfUnsavedDeletion(_ kind: TestedStore) throws {
        let root = try kind.context(in: store, Self.model())
        let id = try root.insert(Animal.self).id
        try root.save()
        let child = ManagedObjectContext(parent: root)
        try child.delete(#require(try child.object(of: Animal.self, id: id)))
        try child.save()
        #expect(throws: StoreError.self) { try child.insert(entity: "Home", id: id) }
        try root.save()
        _ = try child.insert(entity: "Home", id: id)
        try child.save()
        #expect(try root.fetch(Thing.all).map(\.entity.name) == ["Home"])
        try root.save()
        #expect(try ManagedObjectContext(coordinator: root.coordinator).count(Home.all) == 1)
    }
}
