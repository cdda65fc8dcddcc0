internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Platform
internal import Reminders
internal import Systemd

/// Reports the progress of a migration to systemd, and its result to the journal.
struct MigrationReporter {
    /// The extension of systemd's timeout with each report. systemd ends a migration that makes no progress.
    private static let extensionMicroseconds: UInt64 = 60_000_000
    /// The least time between two reports to systemd.
    private static let intervalNanoseconds: UInt64 = 250_000_000

    private let log: Log
    private let store: StoreConfiguration

    init(log: Log, store: StoreConfiguration) {
        self.log = log
        self.store = store
    }

    /// Opens the store and adds it to the coordinator. A store of an older model is migrated first.
    func open(in coordinator: PersistentStoreCoordinator, _ configuration: Configuration) throws {
        let migration = try configuration.migration(progress: Self.notifier())
        let begin = DispatchTime.now().uptimeNanoseconds
        let report = try coordinator.addStore(store, migrating: migration)
        if let report {
            write(report, seconds: Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9)
        }
        beginHistory(of: coordinator)
    }

    /// Begins the history that `Watch` reads, if the kind of the store can have one.
    private func beginHistory(of coordinator: PersistentStoreCoordinator) {
        do {
            try coordinator.beginHistory()
        } catch let error as StoreError where error.code == .noHistory {
            // `Watch` reports it to a client that needs the history.
        } catch {
            // On a full disk, alerts are sent nevertheless.
            log.write(
                .warning,
                "The changes of the store are not recorded for Watch until todod restarts: \(error)",
                fields: [(name: "TODO_PATH", value: store.path ?? "")])
        }
    }

    /// Returns a function that extends systemd's timeout and updates `systemctl status`.
    private static func notifier() -> @Sendable (MigrationProgress) -> Void {
        let lastTime = Locked<UInt64>(0)
        return { progress in
            let now = DispatchTime.now().uptimeNanoseconds
            let isTime = lastTime.withLock { last in
                guard now - last >= intervalNanoseconds else { return false }
                last = now
                return true
            }
            guard isTime else { return }
            let percent = Int(progress.fraction * 100)
            ServiceManager.notify(.extendTimeout(microseconds: extensionMicroseconds))
            ServiceManager.notify(.status("Migrating the store: \(percent) %, \(progress.activity.phrase)"))
        }
    }

    private func write(_ report: MigrationReport, seconds: Double) {
        let path = store.path ?? ""
        let duration = "\((seconds * 1_000).rounded() / 1_000)"
        let fields = [
            (name: "TODO_PATH", value: path),
            (name: "TODO_FROM", value: report.source.joined(separator: "+")),
            (name: "TODO_TO", value: report.destination.joined(separator: "+")),
            (name: "TODO_OBJECTS", value: String(report.objectCount)),
            (name: "TODO_DURATION", value: duration),
            (name: "TODO_BACKUP", value: report.backupPath ?? "not kept"),
        ]
        log.write(
            .notice, "\(report.summary(of: path)) in \(duration) s; \(report.backupPhrase)",
            id: .storeMigrated,
            fields: fields)
    }
}

extension Configuration {
    /// Returns the migration of a store from an older version to the current one.
    func migration(
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) throws -> StoreMigration {
        try ReminderModel.migration(
            mutePrefix: mutePrefix, backups: StoreMigration.Backups(count: backupCount), progress: progress)
    }
}

extension MigrationReport {
    /// Returns `Migrated /home/ada/todo.sqlite from model 1 to 3 (12 objects)`.
    func summary(of path: String) -> String {
        "Migrated \(path) from model \(source.joined(separator: "+")) to "
            + "\(destination.joined(separator: "+")) (\(objectCount) objects)"
    }

    var backupPhrase: String {
        backupPath.map { "the old store is kept as \($0)" } ?? "the old store is not kept"
    }
}

extension MigrationProgress.Activity {
    /// The activity in words for the user.
    var phrase: String {
        switch self {
        case .examining: "reading the old store"
        case .backingUp: "backing up the old store"
        case .changing, .copying: "changing the items"
        case .checking: "checking"
        case .committing: "replacing the old store"
        case .cleaningUp: "cleaning up"
        }
    }
}
