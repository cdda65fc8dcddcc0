internal import CivilTime

/// The files of a migration beside the store: the new store while it is built, and the old ones that are kept.
///
///     todo.sqlite.migrating1                      the new store; renamed to todo.sqlite at the end
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
        for file in FileSystem.names(in: backupDirectory) {
            if isBackup(file, ending: ".backup.partial") {
                try FileSystem.remove("\(backupDirectory)/\(file)")
            }
        }
    }

    /// Copies the store, and gives the path of the copy; nil when none is wanted.
    func backUp(model: ManagedObjectModel, _ meter: MigrationMeter) throws -> String? {
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
        try SQLiteBackup.copy(path, to: copy) { fraction in
            meter.tell(.backingUp, fraction)
            return true
        }
        return copy
    }

    /// Removes all backups but the newest ones.
    func removeOldBackups() throws {
        guard backups.count > 0 else { return }
        let all = FileSystem.names(in: backupDirectory).filter { isBackup($0, ending: ".backup") }.sorted()
        for file in all.dropLast(backups.count) { try FileSystem.remove("\(backupDirectory)/\(file)") }
    }

    private func isBackup(_ file: String, ending: String) -> Bool {
        guard file.hasPrefix("\(name)."), file.hasSuffix(ending) else { return false }
        return file.dropFirst(name.count + 1).dropLast(ending.count).contains(".model")
    }
}

/// Tells how far a migration is, in one number that never goes back.
final class MigrationMeter {
    private let report: @Sendable (MigrationProgress) -> Void
    private var fraction = 0.0

    init(_ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.report = report
    }

    /// - Parameter part: how much of this activity is done, from 0 to 1.
    func tell(_ activity: MigrationProgress.Activity, _ part: Double) {
        let share: ClosedRange<Double> =
            switch activity {
            case .backingUp: 0...0.2
            case .changing, .copying: 0.2...0.8
            case .checking: 0.8...0.95
            case .committing: 0.95...0.98
            case .cleaningUp: 0.98...1
            }
        let whole = share.lowerBound + (share.upperBound - share.lowerBound) * min(max(part, 0), 1)
        fraction = max(fraction, whole)
        report(MigrationProgress(activity: activity, fraction: fraction))
    }
}
