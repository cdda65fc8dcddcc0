import ObjectStore

/// Two versions of a model of notes in folders with tags, and stores full of them. Nearly every change
/// between the versions can be inferred.
enum Versions {
    static func first() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "Note",
                    attributes: [
                        .string("title", .required), .string("body"), .integer16("rank"),
                        .boolean("isOpen", default: true),
                        .date("written"), .uuid("token"), .integer32("size"), .decimal("price"),
                    ],
                    relationships: [
                        .toOne("folder", destination: "Folder", inverse: "notes"),
                        .toMany("tags", destination: "Tag", inverse: "notes"),
                        .toOne("draft", destination: "Draft", inverse: "note"),
                    ],
                    indexes: [.index("written"), .index("rank")]),
                EntityDescription(
                    "Folder", attributes: [.string("name", .required)],
                    relationships: [.toMany("notes", destination: "Note", inverse: "folder")]),
                EntityDescription(
                    "Tag", attributes: [.string("word", .required)],
                    relationships: [.toMany("notes", destination: "Note", inverse: "tags")]),
                EntityDescription(
                    "Draft", attributes: [.binary("data")],
                    relationships: [.toOne("note", destination: "Note", inverse: "draft")]),
                EntityDescription("Scrap", attributes: [.string("text")]),
            ])
    }

    static func second(extra: [AttributeDescription] = []) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Page",
                    attributes: [
                        .string("heading", .required, renamedFrom: "title"),
                        .string("body", default: "empty"),
                        .double("rank"), .boolean("isOpen", default: true), .date("written"),
                        .string("token"),
                        .integer64("size"), .string("price"), .boolean("isStarred", default: false),
                        .date("seen"), .string("origin", default: "fi ‘ö’ it's"),
                    ] + extra,
                    relationships: [
                        .toMany("folders", destination: "Folder", inverse: "pages", renamedFrom: "folder"),
                        .toMany("labels", destination: "Tag", inverse: "pages", renamedFrom: "tags"),
                        .toOne("draft", destination: "Draft", inverse: "page"),
                        .toOne("reader", destination: "Reader", inverse: "pages"),
                    ],
                    indexes: [.index("written"), .index("isStarred")], renamedFrom: "Note"),
                EntityDescription(
                    "Folder", attributes: [.string("name", .required)],
                    relationships: [
                        .toMany("pages", destination: "Page", inverse: "folders", renamedFrom: "notes")
                    ]),
                EntityDescription(
                    "Tag", attributes: [.string("word", .required)],
                    relationships: [
                        .toMany("pages", destination: "Page", inverse: "labels", renamedFrom: "notes")
                    ]),
                EntityDescription(
                    "Draft", attributes: [.binary("data")],
                    relationships: [
                        .toOne("page", destination: "Page", inverse: "draft", renamedFrom: "note")
                    ]),
                EntityDescription(
                    "Reader", attributes: [.string("name")],
                    relationships: [.toMany("pages", destination: "Page", inverse: "reader")]),
            ])
    }

    /// Writes a store of the first version: plain, empty, extreme and related objects.
    static func fill(_ store: TemporaryStore, count: Int = 40) throws {
        try fill(.sqlite(path: store.path), count: count)
    }

    static func fill(_ store: StoreConfiguration, count: Int = 40) throws {
        let coordinator = PersistentStoreCoordinator(model: try first())
        try coordinator.addStore(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        var folders: [ManagedObject] = []
        for name in ["Home", "Büro", "家"] {
            let folder = try context.insert(entity: "Folder")
            try folder.setValue(.string(name), of: "name")
            folders.append(folder)
        }
        let tags = try ["a", "b", "ﬁ"].map { word in
            let tag = try context.insert(entity: "Tag")
            try tag.setValue(.string(word), of: "word")
            return tag
        }
        for number in 0..<count {
            let note = try context.insert(entity: "Note")
            try note.setValue(.string(number == 0 ? "" : "Note \(number) 🗒 e\u{301}"), of: "title")
            if number % 3 == 1 { try note.setValue(.string("text\n\0\u{7f}"), of: "body") }
            if number % 4 != 0 {
                try note.setValue(.integer(number % 2 == 0 ? Int64(Int16.min) : Int64(number)), of: "rank")
                try note.setValue(.integer(Int64(Int32.max)), of: "size")
                try note.setValue(.decimal("-0.5"), of: "price")
                try note.setValue(.uuid(UUIDValue(high: 1, low: UInt64(number))), of: "token")
                try note.setValue(.date(Timestamp(secondsSince1970: -1e10 + 0.25)), of: "written")
                try note.setValue(.boolean(false), of: "isOpen")
                try note.setTarget(folders[number % 3], of: "folder")
                try note.objects(of: "tags").insert(tags[number % 3])
                try note.objects(of: "tags").insert(tags[(number + 1) % 3])
            }
            if number % 5 == 0 {
                let draft = try context.insert(entity: "Draft")
                try draft.setValue(.binary([0, 255]), of: "data")
                try draft.setTarget(note, of: "note")
            }
        }
        try context.insert(entity: "Scrap").setValue(.string("gone"), of: "text")
        try context.save()
        let last = try context.insert(entity: "Note")
        try last.setValue(.string("deleted"), of: "title")
        try context.save()
        try context.delete(last)
        try context.save()
        context.coordinator.close()
    }
}
