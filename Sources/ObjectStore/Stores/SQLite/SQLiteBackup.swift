internal import Platform
internal import SQLiteDriver

/// The implementation of `StoreBackup` for SQLite stores, with connections of its own.
package enum SQLiteBackup {
    /// The share of copying in the whole progress if the copy is read back, too.
    private static let copyingShare = 0.75
    /// The divisor of the remaining progress. Each step of the check adds the quotient, so the progress never
    /// reaches 1 early.
    private static let stepsOfCheck = 64.0

    /// Copies the store at `path`; see `StoreBackup.copy`.
    ///
    /// - Parameter isChecked: whether the copy is read back.
    @discardableResult
    package static func copy(
        _ path: String, to copy: String, isChecked: Bool = true, progress: (Double) -> Bool = { _ in true }
    ) throws -> Bool {
        try self.copy(path, to: copy, isChecked: isChecked, progress) { () throws(SQLiteError) in
            let source = try SQLiteConnection(path: path, mode: .readOnly)
            source.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            try source.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1")
            return source
        }
    }

    /// Copies the database of an open connection, even if another file is at `path` by now.
    static func copy(_ connection: SQLiteConnection, of path: String, to copy: String) throws {
        _ = try self.copy(path, to: copy, isChecked: true, { _ in true }) { connection }
    }

    /// Checks a copy and copies it to `incoming`, which then replaces the store; see `StoreBackup.restore`.
    static func restore(_ copy: String, to incoming: String) throws {
        let access = try ReadingAccess(copy)
        try withExtendedLifetime(access) {
            let connection = try translating(copy) { try SQLiteConnection(path: copy, mode: access.mode) }
            let findings = try translating(copy) { try problems(connection, findsReferences: false) }
            try CopyCheck.requireSound(findings, copy)
            try self.copy(connection, of: copy, to: incoming)
        }
    }

    private static func copy(
        _ path: String, to copy: String, isChecked: Bool, _ progress: (Double) -> Bool,
        source: () throws(SQLiteError) -> SQLiteConnection
    ) throws -> Bool {
        guard !FileSystem.exists(copy) else {
            throw StoreError(.other, "the file exists already; choose another name", path: copy)
        }
        try StoreFiles.makeDirectory(of: copy)
        let partial = PartialFile.newPath(of: copy)
        do {
            try StoreFiles.makeFile(partial)
            let lock = FileLock.lock(partial)
            defer { withExtendedLifetime(lock) {} }
            let share = isChecked ? copyingShare : 1
            guard try fill(partial, from: try translating(path, source), { progress($0 * share) }),
                try !isChecked || isSound(partial, copy: copy, progress)
            else {
                try StoreFiles.remove(partial)
                return false
            }
            try StoreFiles.synchronize(partial)
            try StoreFiles.rename(partial, to: copy, isNew: true)
            return true
        } catch {
            try? StoreFiles.remove(partial)
            guard var error = error as? StoreError, error.path == partial else { throw error }
            error.path = copy
            throw error
        }
    }

    private static func fill(
        _ partial: String, from source: SQLiteConnection, _ progress: (Double) -> Bool
    ) throws -> Bool {
        try translating(partial) {
            let destination = try SQLiteConnection(path: partial, mode: .readWrite)
            defer { destination.close() }
            return try source.copy(into: destination, progress: progress)
        }
    }

    /// Reads the copy back and throws if it is damaged. Returns false if `progress` ended the check.
    ///
    /// Dangling references are accepted: they are in the store, too, and should not prevent a copy of it.
    private static func isSound(
        _ partial: String, copy: String, _ progress: (Double) -> Bool
    ) throws -> Bool {
        var isEnded = false
        var fraction = copyingShare
        return try withoutActuallyEscaping(progress) { progress throws -> Bool in
            // No other program uses the copy yet, so it can be read without a file beside it.
            let connection = try translating(partial) {
                try SQLiteConnection(path: partial, mode: .unchanging)
            }
            connection.observeProgress { [unowned connection] in
                fraction += (1 - fraction) / stepsOfCheck
                guard !isEnded, !progress(fraction) else { return }
                isEnded = true
                connection.interrupt()
            }
            do {
                let findings = try translating(partial) {
                    try problems(connection, findsReferences: false)
                }
                try CopyCheck.require(findings, copy: copy)
            } catch  where isEnded {
                return false
            }
            return true
        }
    }

    /// Writes the log into the database, rolls back a journal that a crash left, and removes both files.
    static func endLog(of path: String) throws {
        try HotJournal.rollBack(path)
        try translating(path) {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            guard try connection.text("PRAGMA journal_mode=DELETE") == "delete" else {
                throw StoreError(
                    .locked, "another program has the database open; end that program and try again",
                    path: path)
            }
        }
        // SQLite ignores errors when it removes these files.
        for suffix in ["-wal", "-shm", "-journal"] { try StoreFiles.remove(FileSystem.target(path) + suffix) }
        try StoreFiles.synchronizeDirectory(of: FileSystem.target(path))
    }

    /// Reads every page of the store at `path`; see `StoreBackup.problems`.
    package static func problems(of path: String, model: ManagedObjectModel? = nil) throws -> [String] {
        try translating(path) {
            try ReadingAccess.connection(to: path) { connection in
                let found = try problems(connection)
                guard found.isEmpty, let model else { return found }
                return try model.entities.flatMap { try valueProblems(of: $0, connection) }
            }
        }
    }

    /// Finds values that another program wrote and the model does not allow.
    private static func valueProblems(
        of entity: Entity, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        var problems: [String] = []
        for column in entity.columns {
            let name = SQLFragment.quoted(column.name)
            var conditions: [(sql: String, problem: String)] = []
            if !column.isOptional {
                conditions.append(("\(name) IS NULL", "has no value, and must have one"))
            }
            if column.type == .date {
                conditions.append(("abs(\(name)) > \(Double.greatestFiniteMagnitude)", "is infinite"))
            }
            for condition in conditions {
                let rows = try connection.prepare(
                    "SELECT \"id\" FROM \(SQLFragment.quoted(entity.name)) WHERE \(condition.sql)")
                while try rows.step() {
                    problems.append("\(entity.name) \(rows.integer(0)): \(column.name) \(condition.problem)")
                }
            }
        }
        return problems
    }

    private static func problems(
        _ connection: SQLiteConnection, findsReferences: Bool = true
    ) throws(SQLiteError) -> [String] {
        var problems: [String] = []
        do throws(SQLiteError) {
            try checkPages(connection, &problems)
            if findsReferences { try checkReferences(connection, &problems) }
        } catch {
            // A database that is too damaged to be checked is a finding, not a failure.
            guard error.kind == .damaged else { throw error }
            problems.append(error.message)
        }
        return problems
    }

    private static func checkPages(
        _ connection: SQLiteConnection, _ problems: inout [String]
    ) throws(SQLiteError) {
        let integrity = try connection.prepare("PRAGMA integrity_check")
        while try integrity.step() {
            if let line = integrity.text(0), line != "ok" { problems.append(line) }
        }
    }

    private static func checkReferences(
        _ connection: SQLiteConnection, _ problems: inout [String]
    ) throws(SQLiteError) {
        let references = try connection.prepare("PRAGMA foreign_key_check")
        while try references.step() {
            let name = "\(references.text(0) ?? "an object") \(references.integer(1))"
            problems.append(
                "\(name) refers to an object of \(references.text(2) ?? "a table") that does not exist")
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

extension SQLiteStore: RescuableStore {
    /// Copies the database of the open connection, even if another file is at its path by now.
    ///
    /// If its content is lost, the log is kept beside the copy that would have been made.
    ///
    /// - Throws: a `StoreError`. Its code is `damaged` only if the content is lost and the log, if there is one, is kept.
    public func rescue(to copy: String) throws {
        do {
            guard !damageRecord.isForeign else {
                throw StoreError(.notADatabase, "it has the content of another store", path: path)
            }
            try SQLiteBackup.copy(connection, of: path, to: copy)
        } catch let error as StoreError {
            // Pages that are missing in a log are an error of the disk to SQLite.
            let isLogLost = error.code == .unreachable && damageRecord.isLogOverwritten
            guard isLogLost || error.code == .damaged || error.code == .notADatabase else { throw error }
            try damageRecord.keepLog(as: copy + "-wal")
            var damage = error
            (damage.code, damage.path, damage.cause) = (.damaged, path, error)
            throw damage
        }
    }
}
