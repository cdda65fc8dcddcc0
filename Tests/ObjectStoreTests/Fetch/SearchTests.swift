import Foundation
import ObjectStore
import Testing

/// `CONTAINS[search]` and search indexes.
@Suite struct SearchTests {
    let store = TemporaryStore()

    private static func model(
        _ indexes: [IndexDescription] = [.search("title", "notes")], extra: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Note", attributes: [.string("title"), .string("notes")] + extra,
                relationships: [.toOne("folder", destination: "Folder", inverse: "notes")], indexes: indexes),
            EntityDescription(
                "Folder", attributes: [.string("name")],
                relationships: [
                    .toMany("notes", destination: "Note", inverse: "folder", deleteRule: .cascade)
                ],
                indexes: [.search("name")]),
        ])
    }

    private static func request(_ format: String, _ arguments: any PredicateArgument...) throws
        -> FetchRequest<ManagedObject>
    {
        FetchRequest(entity: "Note", matching: try FetchPredicate(format: format, arguments: arguments))
    }

    private static func ids(_ context: ManagedObjectContext, _ search: String) throws -> [Int64] {
        try context.ids(request("title CONTAINS[search] %@", search)).sorted()
    }

    @discardableResult
    private static func insert(_ title: String?, _ context: ManagedObjectContext) throws -> ManagedObject {
        let note = try context.insert(entity: "Note")
        try note.setValue(title.map { .string($0) } ?? .null, of: "title")
        return note
    }

    /// Throws if a search table differs from the texts of the objects.
    private func checkTables() throws {
        for table in ["Note search (title,notes)", "Folder search (name)"] {
            try store.execute("INSERT INTO \"\(table)\" (\"\(table)\", rank) VALUES ('integrity-check', 1)")
        }
    }

    // MARK: - Meaning

    static let searches: [(search: String, text: String, isFound: Bool)] = [
        ("milk", "Buy milk", true), ("MILK", "buy milk", true), ("milk", "Buy milkshake", false),
        ("mil*", "Buy milk", true), ("ilk*", "Buy milk", false), ("milk buy", "Buy milk", true),
        ("milk eggs", "Buy milk", false), ("cafe", "Café Müller", true), ("CAFÉ", "cafe", true),
        ("\"whole milk\"", "the whole milk", true), ("\"milk whole\"", "the whole milk", false),
        ("\"whole milk", "the whole milk", true), ("e-mail", "an e-mail", true), ("e-mail", "e mail", true),
        ("e-mail", "mail e", false), ("e-ma*", "e-mail", true), ("", "milk", false), ("*", "milk", false),
        ("\"\"", "milk", false), ("!?", "milk!?", false), ("milk OR eggs", "milk", false),
        ("or", "milk or eggs", true), ("title:milk", "title milk", true), ("NEAR(milk)", "near milk", true),
        ("-milk", "milk", true), ("NOT milk", "milk", false),
        ("milk + eggs", "eggs milk", true), ("{title notes}: milk", "milk", false),
        ("2026", "in 2026.", true), ("a\"\u{301}b", "a b", true), ("\u{600}\"b", "b", true),
        ("\"a\"\u{301} OR \"\u{301}b\"", "a", false), ("\"x\"\u{301} NOT \"\u{301}b\"", "x", false),
        ("a\u{0}b", "b a", false), ("a\u{0}b", "a b", true),
        ("牛乳", "牛乳を買う", false), ("牛乳*", "牛乳を買う", true), ("e\u{301}te\u{301}", "\u{E9}t\u{E9}", true),
    ]

    /// The index, the function of SQL without an index, and the evaluation in memory agree.
    @Test(arguments: searches)
    func searchFindsWords(_ sample: (search: String, text: String, isFound: Bool)) throws {
        let context = try store.context(Self.model())
        let note = try Self.insert(sample.text, context)
        try context.save()
        #expect(try Self.ids(context, sample.search).isEmpty != sample.isFound)
        let predicate = try FetchPredicate("title CONTAINS[search] %@", sample.search)
        #expect(try predicate.matches(note) == sample.isFound)
        let indirect = try Self.request(
            "TERNARY(TRUEPREDICATE, title, nil) CONTAINS[search] %@", sample.search)
        #expect(try context.count(indirect) == (sample.isFound ? 1 : 0))
    }

    @Test(arguments: TestedStore.allCases)
    func kindsOfStoreFindTheSameWords(_ kind: TestedStore) throws {
        let context = try kind.context(in: store, Self.model())
        let notes = try Self.searches.map { try Self.insert($0.text, context) }
        try context.save()
        for (sample, note) in zip(Self.searches, notes) {
            let ids = try Self.ids(context, sample.search)
            #expect(ids.contains(note.id) == sample.isFound, "\(sample.search) in \(sample.text)")
        }
    }

    /// The words may be those of another attribute. No index helps then.
    @Test func wordsOfAnotherAttributeAreFound() throws {
        let context = try store.context(Self.model())
        let note = try Self.insert("milk and eggs", context)
        try note.setValue(.string("eggs"), of: "notes")
        try Self.insert("milk", context)
        try context.save()
        #expect(try context.ids(Self.request("title CONTAINS[search] notes")) == [note.id])
        #expect(try context.ids(Self.request("notes CONTAINS[search] title")) == [])
    }

    @Test func searchWorksThroughRelationshipsAndCollections() throws {
        let context = try store.context(Self.model())
        let folder = try context.insert(entity: "Folder")
        try folder.setValue(.string("Tax office"), of: "name")
        let note = try Self.insert("Return the form", context)
        try note.setTarget(folder, of: "folder")
        try Self.insert("Tax", context)
        try context.save()
        #expect(try context.ids(Self.request("folder.name CONTAINS[search] 'tax'")) == [note.id])
        #expect(try context.ids(Self.request("NOT folder.name CONTAINS[search] 'tax'")).count == 1)
        let folders = FetchRequest<ManagedObject>(
            entity: "Folder", matching: try FetchPredicate("ANY notes.title CONTAINS[search] 'form'"))
        #expect(try context.ids(folders) == [folder.id])
    }

    /// One translation serves searches of the same shape, except one without words.
    @Test func searchesOfOneShapeBindTheirOwnWords() throws {
        let context = try store.context(Self.model())
        for title in ["milk", "eggs", "bread"] { try Self.insert(title, context) }
        try context.save()
        for _ in 0..<2 {
            #expect(try Self.ids(context, "milk") == [1])
            #expect(try Self.ids(context, "EGG*") == [2])
            #expect(try Self.ids(context, "?") == [])
        }
    }

    // MARK: - Index

    @Test func searchUsesIndex() throws {
        let context = try store.context(Self.model())
        let explanation = try context.explanation(of: Self.request("notes CONTAINS[search] 'milk'"))
        #expect("\(explanation)".contains("Note search (title,notes) VIRTUAL TABLE"))
        #expect("\(explanation)".contains("SEARCH t0 USING INTEGER PRIMARY KEY"))
    }

    @Test func indexFollowsEveryChange() throws {
        let context = try store.context(Self.model())
        let first = try Self.insert("milk", context)
        let second = try Self.insert(nil, context)
        // Unsaved changes are found, too.
        #expect(try Self.ids(context, "milk") == [1])
        try context.save()
        try first.setValue(.string("eggs"), of: "title")
        try second.setValue(.string("milk and eggs"), of: "title")
        #expect(try Self.ids(context, "milk") == [2])
        #expect(try Self.ids(context, "eggs") == [1, 2])
        context.rollback()
        #expect(try Self.ids(context, "milk") == [1])
        try second.setValue(.string("milk"), of: "title")
        try context.save()
        try context.delete(first)
        try context.save()
        #expect(try Self.ids(context, "milk") == [2])
        try context.updateAll(Self.request("title == 'milk'"), setting: ["title": "bread"])
        #expect(try Self.ids(context, "bread") == [2])
        try context.deleteAll(Self.request("title == 'bread'"))
        #expect(try Self.ids(context, "bread") == [])
        context.coordinator.close()
        try checkTables()
    }

    /// REPLACE deletes a row without the trigger of a deletion, and a row may get another ID.
    @Test func indexFollowsReplacementsOfRows() throws {
        let context = try store.context(Self.model())
        for title in ["milk", "bread"] { try Self.insert(title, context) }
        try context.save()
        try context.executeSQL("INSERT OR REPLACE INTO Note (id, title) VALUES (1, 'eggs')")
        try context.executeSQL("UPDATE Note SET id = 9 WHERE id = 2")
        #expect(try Self.ids(context, "milk") == [])
        #expect(try Self.ids(context, "eggs") == [1])
        #expect(try Self.ids(context, "bread") == [9])
        context.coordinator.close()
        try checkTables()
    }

    /// FTS5 makes tables for each index, whose names must not be those of another index.
    @Test func namesOfIndexesDoNotCollide() throws {
        let names = ["title", "title_data", "title_idx", "title_config"]
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Note", attributes: names.map { .string($0) }, indexes: names.map { .search($0) })
        ])
        let context = try store.context(model)
        try Self.insert("milk", context)
        #expect(try Self.ids(context, "milk") == [1])
    }

    static let damages = [
        "DROP TABLE \"Note search (title,notes)\"",
        "UPDATE \"Note search (title,notes)_data\" SET block = x'0102030405060708'",
        "DELETE FROM \"Note search (title,notes)_data\"", "DROP TABLE \"Note search (title,notes)_data\"",
        "DROP TABLE \"Note search (title,notes)_config\"",
    ]

    /// Damage to an index is no damage to the objects: searches go on, and the index is made again.
    @Test(arguments: damages)
    func damagedIndexIsMadeAgain(_ damage: String) throws {
        for isOpen in [true, false] {
            let store = TemporaryStore()
            var context = try store.context(Self.model())
            for title in ["milk", "eggs"] { try Self.insert(title, context) }
            try context.save()
            if !isOpen { context.coordinator.close() }
            try store.execute("PRAGMA writable_schema=ON; " + damage)
            if !isOpen { context = try store.context(Self.model()) }
            #expect(try Self.ids(context, "milk") == [1])
            for title in ["milk", "bread"] {
                let note = try Self.insert(title, context)
                do {
                    try context.save()
                } catch let error as StoreError {
                    #expect(error.code == .searchIndex)
                    try context.save()
                }
                #expect(try Self.ids(context, title).last == note.id)
            }
            #expect(context.coordinator.damage == nil)
            #expect(try Self.ids(context, "milk") == [1, 3])
            context.coordinator.close()
            try store.execute(
                "INSERT INTO \"Note search (title,notes)\" (\"Note search (title,notes)\", rank) VALUES ('integrity-check', 1)"
            )
            // A model without the index can drop it.
            try store.execute("PRAGMA writable_schema=ON; " + damage)
            let other = try store.context(Self.model([]))
            #expect(try Self.ids(other, "milk") == [1, 3])
        }
    }

    /// Another program that shares the store may declare an index, for example after an update.
    @Test func indexOfAnotherProgramIsKeptUpToDate() throws {
        let other = TemporaryStore()
        try other.context(Self.model()).coordinator.close()
        let statements = try other.rows(
            "SELECT sql FROM sqlite_schema WHERE name LIKE 'Note search%' AND (type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%')"
        )
        #expect(statements.count == 4)
        let context = try store.context(Self.model([]))
        try Self.insert("milk", context)
        try context.save()
        for statement in statements { try store.execute(statement) }
        try store.execute(
            "INSERT INTO \"Note search (title,notes)\" (\"Note search (title,notes)\") VALUES ('rebuild')")
        try Self.insert("milk", context)
        try context.save()
        context.coordinator.close()
        try store.execute(
            "INSERT INTO \"Note search (title,notes)\" (\"Note search (title,notes)\", rank) VALUES ('integrity-check', 1)"
        )
    }

    @Test func tablesOfOtherProgramsStay() throws {
        let context = try store.context(Self.model())
        context.coordinator.close()
        try store.execute("CREATE VIRTUAL TABLE \"my search history\" USING fts5(q)")
        try store.context(Self.model()).coordinator.close()
        #expect(
            try store.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'my search history'") == ["1"])
    }

    @Test func newIndexContainsOldObjects() throws {
        for indexes in [[], [.search("title", "notes")], [.search("notes", "title")], []]
            as [[IndexDescription]]
        {
            let context = try store.context(Self.model(indexes))
            if try context.count(Self.request("TRUEPREDICATE")) == 0 {
                try Self.insert("milk", context)
                try context.save()
            }
            #expect(try Self.ids(context, "milk") == [1])
            try Self.insert("milk again", context)
            #expect(try Self.ids(context, "again") == [2])
            context.coordinator.close()
            let tables = try store.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'Note search%'")
            #expect(tables == [indexes.isEmpty ? "0" : "8"])
        }
    }

    /// A store that is opened for reading only cannot get its index, and is searched without it.
    @Test func storeWithoutIndexIsSearchedReadOnly() throws {
        let before = try store.context(Self.model([]))
        try Self.insert("milk", before)
        try before.save()
        before.coordinator.close()
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: store.path, readOnly: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try Self.ids(context, "milk") == [1])
        var cursorIDs: [Int64] = []
        try context.forEachRow(Self.request("title CONTAINS[search] 'milk'"), of: [.key("id")]) { row in
            cursorIDs.append(row.integer(at: 0) ?? 0)
        }
        #expect(cursorIDs == [1])
    }

    @Test func otherProgramsKeepIndexUpToDate() throws {
        let context = try store.context(Self.model())
        try Self.insert("milk", context)
        try context.save()
        context.coordinator.close()
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/env")
        shell.arguments = [
            "sqlite3", store.path,
            "INSERT INTO Note (id, title) VALUES (7, 'Crème'); UPDATE Note SET title = 'eggs' WHERE id = 1",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        let again = try store.context(Self.model())
        #expect(try Self.ids(again, "creme") == [7])
        #expect(try Self.ids(again, "milk") == [])
        again.coordinator.close()
        try checkTables()
    }

    @Test func migrationKeepsIndex() throws {
        let old = try Self.model()
        let context = try store.context(old)
        try Self.insert("milk", context)
        try context.save()
        context.coordinator.close()
        let new = try Self.model(extra: [.integer64("stars", default: 3)])
        let coordinator = PersistentStoreCoordinator(model: new)
        try coordinator.addStore(
            .sqlite(path: store.path), migrating: StoreMigration(versions: [old, new]))
        let migrated = ManagedObjectContext(coordinator: coordinator)
        #expect(try Self.ids(migrated, "milk") == [1])
        try Self.insert("milk", migrated)
        try migrated.save()
        #expect(try Self.ids(migrated, "milk") == [1, 2])
        coordinator.close()
        try checkTables()
    }

    /// A migration that renames the searched attribute and its entity changes the tables that the index reads.
    @Test func migrationRenamesSearchedAttribute() throws {
        let old = try ManagedObjectModel(entities: [
            EntityDescription("Note", attributes: [.string("title")], indexes: [.search("title")])
        ])
        let new = try ManagedObjectModel(entities: [
            EntityDescription(
                "Memo", attributes: [.string("name", renamedFrom: "title")], indexes: [.search("name")],
                renamedFrom: "Note")
        ])
        let context = try store.context(old)
        try Self.insert("milk", context)
        try context.save()
        context.coordinator.close()
        let coordinator = PersistentStoreCoordinator(model: new)
        try coordinator.addStore(
            .sqlite(path: store.path), migrating: StoreMigration(versions: [old, new]))
        let found = try ManagedObjectContext(coordinator: coordinator).ids(
            FetchRequest<ManagedObject>(
                entity: "Memo", matching: try FetchPredicate("name CONTAINS[search] 'milk'")))
        #expect(found == [1])
        coordinator.close()
        #expect(try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%title%'") == [])
    }

    @Test func copyKeepsIndex() throws {
        let context = try store.context(Self.model())
        try Self.insert("milk", context)
        try context.save()
        let copy = store.directory + "/copy.sqlite"
        _ = try StoreBackup.copy(.sqlite(path: store.path), to: copy)
        #expect(try StoreBackup.problems(of: .sqlite(path: copy)) == [])
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: copy))
        #expect(try Self.ids(ManagedObjectContext(coordinator: coordinator), "milk") == [1])
    }

    // MARK: - Misuse

    @Test(arguments: [
        (IndexDescription.search("missing"), "an index names it, but the entity has no attribute"),
        (.search("folder"), "not an attribute of the type string"),
        (.search("stars"), "not an attribute of the type string"),
        (.search("title", "title"), "names it twice"),
        (.search("rank"), "FTS5 uses this name itself"),
    ])
    func invalidSearchIndexIsRefused(_ index: IndexDescription, reason: String) throws {
        let error = #expect(throws: ModelError.self) {
            try Self.model([index], extra: [.integer64("stars"), .string("rank")])
        }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func attributeInTwoSearchIndexesIsRefused() throws {
        let error = #expect(throws: ModelError.self) {
            try Self.model([.search("title"), .search("notes", "title")])
        }
        #expect(error.map { "\($0)".contains("two search indexes name it") } == true)
    }
}
