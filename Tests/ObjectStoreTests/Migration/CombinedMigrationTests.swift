import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport
import Testing

/// Migrations of lists, and of a hierarchy with external, derived, ordered and list attributes at once.
@Suite struct CombinedMigrationTests {
    let store = TemporaryStore()

    private func migrate(
        _ kind: StoreKind, _ first: ManagedObjectModel, _ second: ManagedObjectModel, history: Bool = false,
        filling fill: (ManagedObjectContext) throws -> Void
    ) throws -> (ManagedObjectContext, MigrationReport) {
        let configuration = store.configuration(kind, history: history)
        let old = PersistentStoreCoordinator(model: first)
        try old.addStore(configuration)
        let context = ManagedObjectContext(coordinator: old)
        try fill(context)
        try context.save()
        old.close()
        let new = PersistentStoreCoordinator(model: second)
        let report = try new.addStore(
            configuration, migrating: StoreMigration(versions: [first, second]))
        return (ManagedObjectContext(coordinator: new), try #require(report))
    }

    @Test(arguments: [StoreKind.sqlite, .postgresql, .xml, .binary])
    func listsAreCopiedAndRenamed(_ kind: StoreKind) throws {
        let first = try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "Entry", attributes: [.list("tags", of: .string), .list("marks", of: .integer64)])
            ])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Entry",
                    attributes: [
                        .list("words", of: .string, renamedFrom: "tags"), .string("note"),
                        .list("marks", of: .integer64, default: [.integer(3)], optional: false),
                    ])
            ])
        let (context, report) = try migrate(kind, first, second) { context in
            try context.insert(entity: "Entry").setValue(["e\u{301}", ""].attributeValue, of: "tags")
            try context.insert(entity: "Entry").setValue([Int.min].attributeValue, of: "marks")
        }
        if kind == .sqlite { #expect(report.steps.map(\.reasonToCopy) == [nil]) }
        let entries = try context.fetch(
            FetchRequest<ManagedObject>(entity: "Entry", orderedBy: [FetchOrder("id")]))
        #expect(
            try entries.map { try $0.value(of: "words") } == [["e\u{301}", ""].attributeValue, .null])
        #expect(
            try entries.map { try $0.value(of: "marks") } == [[3].attributeValue, [Int.min].attributeValue])
    }

    private static func first() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "List",
                    attributes: [
                        .string("name", .required), .string("loud").derived(from: "uppercase(name)"),
                    ],
                    relationships: [
                        .toMany(
                            "items", destination: "Item", inverse: "list", orderedBy: "place",
                            deleteRule: .cascade)
                    ]),
                EntityDescription(
                    "Item",
                    attributes: [
                        .string("title", .required), .integer64("place"), .binary("data").external(),
                        .list("tags", of: .string),
                    ],
                    relationships: [
                        .toOne("list", destination: "List", inverse: "items"),
                        .toMany("links", destination: "Item", inverse: "links"),
                    ]),
                EntityDescription(
                    "Task", attributes: [.integer64("rank", default: 1), .string("body").external()],
                    relationships: [
                        .toMany("parts", destination: "Subtask", inverse: "owner", deleteRule: .cascade)
                    ],
                    parent: "Item"),
                EntityDescription(
                    "Subtask", attributes: [.decimal("cost")],
                    relationships: [.toOne("owner", destination: "Task", inverse: "parts")], parent: "Task"),
                EntityDescription(
                    "Note", attributes: [.string("text"), .list("marks", of: .double)], parent: "Item"),
            ])
    }

    /// Everything has another name, `rank` moves up, and there are new attributes and a new entity.
    private static func second() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Folder",
                    attributes: [
                        .string("title", .required, renamedFrom: "name"),
                        .string("loud").derived(from: "TERNARY(title == 'x', 'y', uppercase(title))"),
                    ],
                    relationships: [
                        .toMany(
                            "things", destination: "Thing", inverse: "folder", orderedBy: "position",
                            deleteRule: .cascade, renamedFrom: "items")
                    ], renamedFrom: "List"),
                EntityDescription(
                    "Thing",
                    attributes: [
                        .string("name", .required, renamedFrom: "title"),
                        .integer64("position", renamedFrom: "place"),
                        .binary("blob", renamedFrom: "data").external(),
                        .list("words", of: .string, renamedFrom: "tags"),
                        .list("more", of: .integer64, default: [.integer(3)]),
                        .integer64("rank", default: 7),
                    ],
                    relationships: [
                        .toOne("folder", destination: "Folder", inverse: "things", renamedFrom: "list"),
                        .toMany("friends", destination: "Thing", inverse: "friends", renamedFrom: "links"),
                    ], renamedFrom: "Item"),
                EntityDescription(
                    "Job", attributes: [.string("body").external()],
                    relationships: [
                        .toMany("parts", destination: "Subjob", inverse: "owner", deleteRule: .cascade)
                    ],
                    renamedFrom: "Task", parent: "Thing"),
                EntityDescription(
                    "Subjob", attributes: [.decimal("cost"), .string("state", default: "open")],
                    relationships: [.toOne("owner", destination: "Job", inverse: "parts")],
                    renamedFrom: "Subtask", parent: "Job"),
                EntityDescription(
                    "Note",
                    attributes: [
                        .string("text"),
                        .list("signs", of: .double, default: [.double(2)], renamedFrom: "marks"),
                    ], parent: "Thing"),
                EntityDescription("Memo", attributes: [.string("text2", default: "m")], parent: "Note"),
            ])
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let list = try context.insert(entity: "List")
        try list.setValue(.string("l"), of: "name")
        var items: [ManagedObject] = []
        for (number, entity) in ["Item", "Task", "Subtask", "Note", "Task", "Subtask"].enumerated() {
            let item = try context.insert(entity: entity)
            try item.setValue(.string("\(number)"), of: "title")
            try item.setValue(["a\u{301}", "\(number)"].attributeValue, of: "tags")
            if number.isMultiple(of: 2) { try item.setValue(.binary([UInt8(number)]), of: "data") }
            if item.entity.property(named: "body") != nil {
                try item.setValue(.string("\(number)\u{0}"), of: "body")
                try item.setValue(.integer(Int64(number)), of: "rank")
            }
            if entity == "Subtask" {
                try item.setValue(.decimal("1.\(number)"), of: "cost")
                try item.setTarget(items[1], of: "owner")
            }
            if entity == "Note" { try item.setValue([0.5, -0.0].attributeValue, of: "marks") }
            items.append(item)
        }
        try list.objects(of: "items").replace(with: [items[5], items[0], items[3], items[1]])
        try items[0].objects(of: "links").insert(items[5])
        try items[2].objects(of: "links").insert(items[2])
    }

    @Test(
        arguments: [
            (StoreKind.sqlite, false), (.sqlite, true), (.postgresql, true), (.xml, false), (.binary, false),
        ])
    func everyKindOfPropertyMigrates(_ kind: StoreKind, _ history: Bool) throws {
        let (context, _) = try migrate(
            kind, Self.first(), Self.second(), history: history, filling: Self.fill)
        let folder = try #require(try context.fetch(FetchRequest<ManagedObject>(entity: "Folder")).first)
        #expect(try folder.value(of: "loud") == .string("L"))
        let order = try folder.objects(of: "things").map { try $0.value(of: "name") }
        #expect(order == [.string("5"), .string("0"), .string("3"), .string("1")])
        let things = try context.fetch(
            FetchRequest<ManagedObject>(entity: "Thing", orderedBy: [FetchOrder("name")]))
        #expect(things.map(\.entity.name) == ["Thing", "Job", "Subjob", "Note", "Job", "Subjob"])
        for (number, thing) in things.enumerated() {
            #expect(
                try thing.value(of: "blob")
                    == (number.isMultiple(of: 2) ? .binary([UInt8(number)]) : .null))
            #expect(try thing.value(of: "words") == ["a\u{301}", "\(number)"].attributeValue)
            #expect(try thing.value(of: "more") == [3].attributeValue)
            let isJob = thing.entity.property(named: "body") != nil
            #expect(try thing.value(of: "rank") == .integer(isJob ? Int64(number) : 7))
            if isJob { #expect(try thing.value(of: "body") == .string("\(number)\u{0}")) }
            guard thing.entity.name == "Subjob" else { continue }
            #expect(try thing.value(of: "cost") == .decimal("1.\(number)"))
            #expect(try thing.value(of: "state") == .string("open"))
            #expect(try thing.target(of: "owner") === things[1])
        }
        #expect(try things[3].value(of: "signs") == [0.5, -0.0].attributeValue)
        #expect(try things[0].objects(of: "friends").map(\.id) == [things[5].id])
        #expect(try things[5].objects(of: "friends").map(\.id) == [things[0].id])
        #expect(try things[2].objects(of: "friends").map(\.id) == [things[2].id])
        try context.delete(things[1])
        try context.delete(folder)
        try context.save()
        for (entity, count) in [("Thing", 1), ("Thing_blob", 1), ("Job_body", 1)] {
            #expect(try context.count(FetchRequest<ManagedObject>(entity: entity)) == count)
        }
    }
}
