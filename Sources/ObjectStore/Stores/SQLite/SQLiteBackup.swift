internal import SQLiteDriver

/// Copies of a store in a file, and the check of one: work that may take long and needs no coordinator.
///
/// Both use connections of their own, so they may run on any queue while a coordinator has the store open
/// and writes to it.
public enum SQLiteBackup {
    /// Makes a copy of the store at `path`, of one state of it.
    ///
    /// The copy is made beside its final place and renamed when all of it is on disk, so that a file of this
    /// name is always complete. `progress` gets how much is done, from 0 to 1, and ends the copy by returning
    /// false.
    ///
    /// - Returns: whether there is a copy now; false when `progress` ended it.
    /// - Throws: a `StoreError`; `copy` exists already, there is no space, the store is damaged.
    @discardableResult
    public static func copy(
        _ path: String, to copy: String, progress: (Double) -> Bool = { _ in true }
    ) throws -> Bool {
        guard !FileSystem.exists(copy) else {
            throw StoreError(.other, "the file exists already; choose another name", path: copy)
        }
        try FileSystem.makeDirectory(of: copy)
        let partial = copy + ".partial"
        try FileSystem.remove(partial)
        try FileSystem.makeFile(partial)
        do {
            guard try fill(partial, from: path, progress) else {
                try FileSystem.remove(partial)
                return false
            }
            try FileSystem.synchronize(partial)
            try FileSystem.rename(partial, to: copy)
            return true
        } catch {
            try? FileSystem.remove(partial)
            throw error
        }
    }

    private static func fill(_ partial: String, from path: String, _ progress: (Double) -> Bool) throws
        -> Bool
    {
        let source = try translating(path) { try SQLiteConnection(path: path, mode: .readOnly) }
        return try translating(path) {
            source.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            try source.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1")
            return try translating(partial) {
                let destination = try SQLiteConnection(path: partial, mode: .readWrite)
                defer { destination.close() }
                return try source.copy(into: destination, progress: progress)
            }
        }
    }

    /// Reads every page of the store at `path`, and says what is wrong with it: nothing, when all is well.
    ///
    /// A million rows take seconds. References to objects that are not there are found too.
    public static func problems(of path: String) throws -> [String] {
        try translating(path) {
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            var problems: [String] = []
            do throws(SQLiteError) {
                try check(connection, &problems)
            } catch {
                // What is too damaged to be checked is a finding, not a failure.
                guard error.kind == .damaged else { throw error }
                problems.append(error.message)
            }
            return problems
        }
    }

    private static func check(_ connection: SQLiteConnection, _ problems: inout [String]) throws(SQLiteError)
    {
        let integrity = try connection.prepare("PRAGMA integrity_check")
        while try integrity.step() {
            if let line = integrity.text(0), line != "ok" { problems.append(line) }
        }
        let references = try connection.prepare("PRAGMA foreign_key_check")
        while try references.step() {
            let name = "\(references.text(0) ?? "an object") \(references.integer(1))"
            problems.append(
                "\(name) refers to an object of \(references.text(2) ?? "a table") that is not there")
        }
    }

    private static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw SQLiteStore.storeError(error, path: path)
        }
    }
}
