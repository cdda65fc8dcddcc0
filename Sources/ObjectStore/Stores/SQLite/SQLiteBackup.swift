package import SQLiteDriver

/// What `StoreBackup` does for stores in databases, on connections of its own.
package enum SQLiteBackup {
    /// Makes a copy of the store at `path`; see `StoreBackup.copy`.
    ///
    /// - Parameter isChecked: whether the copy is read back.
    @discardableResult
    package static func copy(
        _ path: String, to copy: String, isChecked: Bool = true, progress: (Double) -> Bool = { _ in true }
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
            // Nobody else knows the copy yet, so that checking it leaves nothing beside it.
            if isChecked { try StoreBackup.require(try problems(of: partial, .unchanging), copy: copy) }
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

    /// Reads every page of the store at `path`; see `StoreBackup.problems`.
    package static func problems(
        of path: String, _ mode: SQLiteConnection.Mode = .readOnly
    ) throws -> [String] {
        try translating(path) {
            let connection = try SQLiteConnection(path: path, mode: mode)
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
