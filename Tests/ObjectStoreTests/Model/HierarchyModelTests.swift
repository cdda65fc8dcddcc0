import Foundation
import ObjectStore
import TestSupport
import Testing

private final class Stranger: ManagedObject {}
private class Base: ManagedObject {}
private final class Derived: Base {}

/// The rules for entities that inherit from others, which are checked when a model is built.
@Suite struct HierarchyModelTests {
    private static let root = EntityDescription("Item", attributes: [.string("title")])

    private static func child(
        _ name: String = "Task", _ attributes: [AttributeDescription] = [], parent: String? = "Item",
        isAbstract: Bool = false
    ) -> EntityDescription {
        EntityDescription(name, attributes: attributes, parent: parent, isAbstract: isAbstract)
    }

    private static func error(_ entities: EntityDescription...) -> String {
        do throws(ModelError) {
            _ = try ManagedObjectModel(entities: entities)
            return ""
        } catch {
            return "\(error.code) \(error)"
        }
    }

    @Test func parentMustExistAndNotInheritFromItsChild() {
        #expect(
            Self.error(Self.root, Self.child(parent: "Thing"))
                == "invalidParent Task: its parent Thing is not in the model")
        #expect(
            Self.error(Self.child("A", parent: "B"), Self.child("B", parent: "A"))
                == "invalidParent A: inherits from itself")
        #expect(
            Self.error(Self.root, Self.child(isAbstract: true))
                == "invalidParent Task: is abstract, but no entity inherits from it, so it can have no objects"
        )
    }

    @Test func propertiesOfHierarchyDoNotCollide() {
        #expect(
            Self.error(Self.root, Self.child("Task", [.integer64("title")]))
                == "duplicateProperty Task.title: is inherited from Item and declared differently; remove or rename it"
        )
        #expect(
            Self.error(Self.root, Self.child("Task", [.string("Title")]))
                == "duplicateProperty Task.Title: is inherited from Item and declared differently; remove or rename it"
        )
        #expect(
            Self.error(
                Self.root, Self.child("Task", [.integer64("size")]), Self.child("Note", [.string("size")]))
                == "duplicateProperty Note.size: is declared differently by another entity that inherits from Item, "
                + "with which it shares a column; rename one or make them equal")
        #expect(
            Self.error(Self.root, Self.child("Task", [.string("entity")])).hasPrefix(
                "invalidName Task.entity"))
        #expect(
            Self.error(
                Self.root, Self.child("Task", [.integer64("size", default: 1)]),
                Self.child("Note", [.integer64("size")])
            ).hasPrefix("duplicateProperty Note.size: is declared differently"))
        // Equal declarations share a column.
        #expect(
            Self.error(
                Self.root, Self.child("Task", [.integer64("size")]), Self.child("Note", [.integer64("size")]))
                == "")
        #expect(Self.error(EntityDescription("Plain", attributes: [.string("entity")])) == "")
    }

    @Test func relationshipsOfHierarchyDoNotCollide() {
        let people = EntityDescription(
            "Person",
            relationships: [
                .toMany("tasks", destination: "Task", inverse: "owner"),
                .toMany("notes", destination: "Note", inverse: "owner"),
            ])
        let owned = { (name: String, inverse: String) in
            EntityDescription(
                name, relationships: [.toOne("owner", destination: "Person", inverse: inverse)],
                parent: "Item")
        }
        #expect(
            Self.error(Self.root, people, owned("Task", "tasks"), owned("Note", "notes"))
                == "duplicateProperty Note.owner: is a relationship of another entity that inherits from Item, too; "
                + "rename one, or declare it in an entity from which both inherit")
    }

    @Test func classOfChildInheritsFromClassOfParent() {
        let parent = EntityDescription("Item", class: Base.self)
        #expect(
            Self.error(parent, EntityDescription("Task", class: Stranger.self, parent: "Item"))
                == "classMismatch Task: its class Stranger does not inherit from Base, the class of its parent Item"
        )
        #expect(
            Self.error(parent, EntityDescription("Task", parent: "Item"))
                == "classMismatch Task: its class ManagedObject does not inherit from Base, the class of its parent Item"
        )
        #expect(Self.error(parent, EntityDescription("Task", class: Derived.self, parent: "Item")) == "")
    }

    @Test func uniquenessNamesAnOwnProperty() {
        var child = Self.child("Task", [.string("uid")])
        child.uniqueness = [["title"]]
        #expect(
            Self.error(Self.root, child)
                == "invalidIndex Task.title: a set of unique properties names only inherited ones; "
                + "declare it in the entity that has them")
        child.uniqueness = [["title", "uid"]]
        #expect(Self.error(Self.root, child) == "")
    }

    @Test func configurationHasWholeHierarchy() throws {
        let error = try #require(throws: ModelError.self) {
            try ManagedObjectModel(
                entities: [Self.root, Self.child()], configurations: ["own": ["Task"]])
        }
        #expect(
            "\(error)"
                == "Task: is in the configuration own, but Item is not, in whose table it is; add Item")
    }

    @Test func hashIsThatOfOwnProperties() throws {
        let short = try ManagedObjectModel(entities: [Self.root, Self.child("Task", [.string("state")])])
        let long = try ManagedObjectModel(
            entities: [Self.child("Task", [.string("title"), .string("state")]), Self.root])
        #expect(short.versionHash == long.versionHash)
        #expect(
            short.canonicalText == """
                entity Item
                attribute title string optional
                entity Task
                parent Item
                attribute state string optional

                """)
        let apart = try ManagedObjectModel(
            entities: [Self.root, Self.child("Task", [.string("title"), .string("state")], parent: nil)])
        #expect(apart.versionHash != short.versionHash)
        #expect(try ManagedObjectModel(merging: [short, long]).versionHash == short.versionHash)
    }

    /// A superclass that is not in the model shares its properties, as it does without inheritance of entities.
    @Test func superclassOutsideOfModelIsNoParent() throws {
        let model = try ManagedObjectModel(
            entities: [
                EntityDescription(Volume.self), EntityDescription(Atlas.self),
                EntityDescription(VolumeReader.self),
                EntityDescription(MediaShelf.self), EntityDescription(Topic.self),
            ].filter { $0.name != "MediaShelf" && $0.name != "Topic" }.map { entity in
                var entity = entity
                entity.relationships.removeAll { ["shelf", "topics"].contains($0.name) }
                entity.managedObjectClass = ManagedObject.self
                return entity
            })
        #expect(model.entities.map(\.name) == ["Volume", "VolumeReader"])
        let atlas = try #require(model.entity(named: "Atlas"))
        #expect(atlas.storedName == "Volume")
        #expect(atlas.column(named: "title") != nil && atlas.column(named: "scale") != nil)
        #expect(model.entity(named: "Volume")?.column(named: "scale") == nil)
    }

    @Test func codingNamesEntity() throws {
        let store = TemporaryStore()
        let context = try TestedStore.memory.context(in: store, EntityInheritanceTests.model())
        let coding = ObjectCoding<MediaShelf>(\.name).nesting(\.media, ObjectCoding<Medium>())
        let json = """
            {"name":"low","media":[{"entity":"Atlas","title":"World","scale":2},{"entity":"Record","title":"Saul","minutes":9}]}
            """
        let shelf = try JSONDecoder().decode(
            Inserted.self, from: Data(json.utf8), configuration: (coding, context))
        #expect(shelf.object.media.map { "\(type(of: $0))" } == ["Atlas", "Record"])
        let coded = try JSONEncoder().encode(coding.encoding(shelf.object))
        #expect(String(decoding: coded, as: UTF8.self).contains("\"entity\":\"Atlas\""))
        let wrong = json.replacingOccurrences(of: "Atlas", with: "Topic")
        #expect(throws: ObjectCodingError.self) {
            try JSONDecoder().decode(Inserted.self, from: Data(wrong.utf8), configuration: (coding, context))
        }
    }

    private struct Inserted: DecodableWithConfiguration {
        let object: MediaShelf

        init(from decoder: any Decoder, configuration: (ObjectCoding<MediaShelf>, ManagedObjectContext))
            throws
        {
            object = try configuration.0.insert(into: configuration.1, from: decoder)
        }
    }

    @Test func snapshotOfSubclassHasItsProperties() throws {
        let store = TemporaryStore()
        let context = try TestedStore.sqlite.context(in: store, EntityInheritanceTests.model())
        let atlas = try context.insert(Atlas.self)
        (atlas.title, atlas.scale) = ("World", 3)
        let reader = try context.insert(VolumeReader.self)
        reader.reading = atlas
        try context.save()
        #expect(atlas.snapshot().scale == 3 && atlas.snapshot().title == "World")
        #expect(reader.snapshot().reading == atlas.objectID)
    }

    /// Another program can write anything into a database. An object of the wrong class must never result.
    @Test func rowsChangedByOtherProgramsAreNoObjectsOfOtherClasses() throws {
        let store = TemporaryStore()
        let first = try TestedStore.sqlite.context(in: store, EntityInheritanceTests.model())
        let record = try first.insert(Record.self)
        (record.title, record.minutes) = ("Saul", 4)
        let reader = try first.insert(VolumeReader.self)
        reader.name = "x"
        let shelf = try first.insert(MediaShelf.self)
        shelf.media.insert(record)
        try first.save()
        first.coordinator.close()
        try store.execute("UPDATE VolumeReader SET reading = 1; UPDATE Medium SET reader = 1")
        let context = try TestedStore.sqlite.context(in: store, EntityInheritanceTests.model())
        let read = try context.fetch(VolumeReader.all)[0]
        #expect(read.reading == nil)
        #expect(try context.fetch(Medium.all)[0] is Record)
        context.coordinator.close()
        try store.execute("UPDATE Medium SET entity = 'Lost'")
        let last = try TestedStore.sqlite.context(in: store, EntityInheritanceTests.model())
        let error = try #require(throws: StoreError.self) { try last.fetch(Medium.all) }
        #expect(
            error.message.contains(
                "Medium 1 is of the entity Lost, which the model does not have or which is abstract"))
        try store.execute("UPDATE Medium SET entity = 'Medium'")
        #expect(throws: StoreError.self) { try last.fetch(Medium.all) }
    }
}
