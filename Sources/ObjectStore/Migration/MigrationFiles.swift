internal import CivilTime

/// The files of a migration beside the store: the new store while it is built, and the old ones that are kept.
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

    /// Where the store of one step is built.
    func work(_ step: Int) -> String { "\(path).migrating\(step)" }

    private var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var backupDirectory: String { backups.directory ?? directory }

    /// Removes what a migration that was killed left behind.
    func removeLeftovers() throws {
        for file in FileSystem.names(in: directory) where file.hasPrefix("\(name).migrating") {
            try FileSystem.remove("\(directory)/\(file)")
        }
        for file in FileSystem.names(in: backupDirectory) where isLeftover(file) {
            try FileSystem.remove("\(backupDirectory)/\(file)")
        }
    }

    /// Copies the store, and gives the path of the copy; nil when none is wanted.
    func backUp(
        _ store: any MigratingStore, model: ManagedObjectModel, _ meter: MigrationMeter
    ) throws -> String? {
        guard backups.count > 0 else { return nil }
        meter.tell(.backingUp, 0)
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
        try store.copy(to: copy) { meter.tell(.backingUp, $0) }
        return copy
    }

    /// Removes all backups but the newest ones, by the times in their names, and `new`, whatever the clock says.
    func removeOldBackups(keeping new: String?) throws {
        guard let new else { return }
        let others = FileSystem.names(in: backupDirectory).filter {
            isBackup($0) && "\(backupDirectory)/\($0)" != new
        }
        for file in others.sorted().dropLast(backups.count - 1) {
            try FileSystem.remove("\(backupDirectory)/\(file)")
        }
    }

    private func isBackup(_ file: String) -> Bool {
        let ending = ".backup"
        guard file.hasPrefix("\(name)."), file.hasSuffix(ending) else { return false }
        return file.dropFirst(name.count + 1).dropLast(ending.count).contains(".model")
    }

    /// Whether it is a backup that never became whole.
    private func isLeftover(_ file: String) -> Bool {
        PartialFile.copyName(of: file).map(isBackup) ?? false
    }
}
