internal import CivilTime
internal import Platform

/// The files that a migration creates next to the store: the new store while it is built, and backups of old
/// stores.
///
///     todo.sqlite.migrating1                      a new database; renamed to todo.sqlite at the end
///     todo.sqlite.20261120T170000Z.model1.backup  an old store
struct MigrationFiles {
    let path: String
    private let backups: StoreMigration.Backups

    init(path: String, _ backups: StoreMigration.Backups) {
        self.path = path
        self.backups = backups
    }

    /// Returns the path at which one step builds its store.
    func work(_ step: Int) -> String { "\(path).migrating\(step)" }

    private var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var backupDirectory: String { backups.directory ?? directory }

    /// Removes the files of a migration that was killed.
    func removeLeftovers() throws {
        for file in FileSystem.namesIfReadable(in: directory) where file.hasPrefix("\(name).migrating") {
            try StoreFiles.remove("\(directory)/\(file)")
        }
        for file in FileSystem.namesIfReadable(in: backupDirectory) where isLeftover(file) {
            try StoreFiles.remove("\(backupDirectory)/\(file)")
        }
    }

    /// Copies the store and returns the path of the copy, or `nil` if no backups are kept.
    func backUp(
        _ store: any StoreFile, model: ManagedObjectModel, _ meter: MigrationMeter
    ) throws -> String? {
        guard backups.count > 0 else { return nil }
        meter.notify(.backingUp, 0)
        let version = model.displayName.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        var stamp = (RFC3339.text(.now) ?? "").prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }
        if !stamp.hasSuffix("Z") { stamp += "Z" }
        let base = "\(backupDirectory)/\(name).\(stamp).model\(version)"
        var copy = "\(base).backup"
        var number = 1
        while FileSystem.exists(copy) {
            number += 1
            copy = "\(base).\(number).backup"
        }
        _ = try store.copy(to: copy) { fraction in
            meter.notify(.backingUp, fraction)
            return true
        }
        return copy
    }

    /// Removes all backups except the newest ones, by the times in their names. The backup `new` is always
    /// kept, even if the clock was set back. Does nothing if `new` is `nil`.
    func removeOldBackups(keeping new: String?) throws {
        guard let new else { return }
        let others = FileSystem.namesIfReadable(in: backupDirectory).filter {
            isBackup($0) && "\(backupDirectory)/\($0)" != new
        }
        for file in others.sorted().dropLast(backups.count - 1) {
            try StoreFiles.remove("\(backupDirectory)/\(file)")
        }
    }

    private func isBackup(_ file: String) -> Bool {
        let ending = ".backup"
        guard file.hasPrefix("\(name)."), file.hasSuffix(ending) else { return false }
        return file.dropFirst(name.count + 1).dropLast(ending.count).contains(".model")
    }

    /// Whether the file is an unfinished backup: of a database, of its journal, or of another kind of store.
    private func isLeftover(_ file: String) -> Bool {
        PartialFile.copyName(of: file).map(isBackup) ?? false
    }
}
