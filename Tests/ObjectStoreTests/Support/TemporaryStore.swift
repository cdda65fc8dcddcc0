import Foundation
import ObjectStore
import SQLiteDriver

/// A directory for the store of one test. It is removed with this object.
final class TemporaryStore {
    let directory: String
    var path: String { directory + "/library.sqlite" }

    init() {
        directory = FileManager.default.temporaryDirectory.path + "/objectstore-\(UUID().uuidString)"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func coordinator(_ model: ManagedObjectModel? = nil) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: try model ?? Library.model())
        try coordinator.addStore(.sqlite(path: path))
        return coordinator
    }

    func context(_ model: ManagedObjectModel? = nil) throws -> ManagedObjectContext {
        ManagedObjectContext(coordinator: try coordinator(model))
    }

    /// The saved rows of the file, read by another connection, with the columns separated by `|`.
    func rows(_ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        let statement = try connection.prepare(sql)
        var rows: [String] = []
        while try statement.step() {
            let columns = (0..<Int32(statement.columnCount)).map { statement.text($0) ?? "NULL" }
            rows.append(columns.joined(separator: "|"))
        }
        return rows
    }

    /// Changes the file as the sqlite3 shell would.
    func execute(_ sql: String) throws {
        try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
    }

    /// The names of the files beside the store, itself among them, sorted.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    /// Every row of every table, for comparing two states of a store.
    func contents() throws -> [String] {
        let tables = try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
        return try tables.sorted().flatMap { table in
            try rows("SELECT * FROM \"\(table)\" ORDER BY 1, 2").map { "\(table): \($0)" }
        }
    }
}
