import ObjectStore
import Testing

/// A migration in place and one that makes every object again produce the same store.
@Suite struct MigrationEquivalenceTests {
    private func migrate(_ store: TemporaryStore, copying: Bool) throws -> MigrationReport {
        let (first, second) = (try Versions.first(), try Versions.second())
        var mapping = try MappingModel.inferred(from: first, to: second)
        if copying { mapping["Folder"]?.policy = { EntityMigrationPolicy() } }
        let coordinator = PersistentStoreCoordinator(model: second)
        let migration = StoreMigration(versions: [first, second], mappings: [mapping])
        let report = try coordinator.addStore(.sqlite(path: store.path), migrating: migration)
        coordinator.close()
        return try #require(report)
    }

    @Test func migrationsInPlaceAndByCopyAgree() throws {
        let (changed, copied) = (TemporaryStore(), TemporaryStore())
        try Versions.fill(changed)
        try Versions.fill(copied)
        let before = try changed.rows("SELECT count(*) FROM Note")
        let inPlace = try migrate(changed, copying: false)
        let anew = try migrate(copied, copying: true)

        #expect(inPlace.steps.map(\.reasonToCopy) == [nil])
        #expect(anew.steps.map(\.reasonToCopy) == ["Folder has a policy"])
        #expect(inPlace.objectCount == anew.objectCount)
        #expect(try changed.rows("SELECT count(*) FROM Page") == before)

        let tables = ["Page", "Folder", "Tag", "Draft", "Reader", "Folder_pages", "Page_labels"]
        for table in tables {
            let columns = try changed.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
            #expect(
                try copied.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name") == columns)
            let list = columns.map { "\"\($0)\", typeof(\"\($0)\")" }.joined(separator: ", ")
            let rows = "SELECT \(list) FROM \"\(table)\" ORDER BY 1, 3"
            #expect(try changed.rows(rows) == copied.rows(rows), "\(table)")
        }
        let schema =
            "SELECT type, name FROM sqlite_schema WHERE type = 'index' OR name = '_metadata' ORDER BY 2"
        #expect(try changed.rows(schema) == copied.rows(schema))
        let ids = "SELECT * FROM \"_largestIDs\" WHERE id > 0 ORDER BY 1"
        #expect(try changed.rows(ids) == copied.rows(ids))
        for store in [changed, copied] {
            #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
            #expect(try store.rows("PRAGMA foreign_key_check") == [])
        }
    }

    @Test(arguments: [false, true]) func migratedStoreHasAllValues(copying: Bool) throws {
        let store = TemporaryStore()
        try Versions.fill(store)
        let ranks = try store.rows("SELECT CAST(rank AS REAL) FROM Note ORDER BY id")
        let tags = try store.rows(
            "SELECT t.word, n.id FROM Note_tags l JOIN Tag t ON t.id = l.other JOIN Note n ON n.id = l.owner ORDER BY 2, 1"
        )
        let folders = try store.rows("SELECT folder, id FROM Note WHERE folder NOT NULL ORDER BY 2")
        let drafts = try store.rows("SELECT id, note FROM Draft ORDER BY 1")
        _ = try migrate(store, copying: copying)
        #expect(try store.rows("SELECT rank FROM Page ORDER BY id") == ranks)
        #expect(
            try store.rows(
                "SELECT t.word, n.id FROM Page_labels l JOIN Tag t ON t.id = l.other JOIN Page n ON n.id = l.owner ORDER BY 2, 1"
            )
                == tags)
        #expect(try store.rows("SELECT owner, other FROM Folder_pages ORDER BY 2") == folders)
        #expect(try store.rows("SELECT id, page FROM Draft ORDER BY 1") == drafts)
        #expect(try store.rows("SELECT draft, id FROM Page WHERE draft NOT NULL ORDER BY 1") == drafts)
        #expect(
            try store.rows(
                "SELECT DISTINCT body = 'empty', isStarred, origin, seen FROM Page WHERE id % 3 = 0") == [
                    "1|0|fi ‘ö’ it's|NULL"
                ])
        let context = try store.context(Versions.second())
        #expect(try context.insert(entity: "Page").id == 42)
    }
}
