internal import Glibc
internal import ObjectStore
internal import Reminders
internal import Synchronization
internal import TodoAPI

/// What `todod --check` and `todod --migrate` do: they look at the store, or migrate it, and are done.
struct StoreMaintenance {
    private let store: StoreConfiguration
    private let configuration: Configuration

    init(store: StoreConfiguration, configuration: Configuration) {
        self.store = store
        self.configuration = configuration
    }

    private var path: String { store.path ?? "" }

    /// Reads all of the store and says what the daemon would do with it. Nothing is written.
    ///
    /// - Returns: what to print, and whether the daemon could work with the store.
    func check() throws -> (lines: [String], isSound: Bool) {
        guard access(path, F_OK) == 0 else {
            return (["\(path): there is no store yet; the daemon makes one when it starts"], true)
        }
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let forecast = try coordinator.forecast(store, migrating: configuration.migration())
        let problems = try StoreBackup.problems(of: store)
        var lines = problems.map { "\(path): \($0)" }
        if !problems.isEmpty {
            lines.append("The store is damaged: stop the daemon, keep a copy, and restore a backup.")
        } else if let forecast {
            lines += description(of: forecast)
        } else if isEmpty {
            lines.append("\(path): empty; the daemon makes a store of it when it starts")
        } else {
            lines.append("\(path): sound, and of the present model")
        }
        return (lines, problems.isEmpty)
    }

    private var isEmpty: Bool {
        var file = stat()
        return stat(path, &file) == 0 && file.st_size == 0
    }

    private func description(of forecast: MigrationReport) -> [String] {
        var lines = [
            "\(path): sound, and of model \(forecast.source.joined(separator: "+")) "
                + "with \(forecast.objectCount) objects. The daemon will migrate it:"
        ]
        for step in forecast.steps {
            let way = step.reasonToCopy.map { "object by object, because \($0)" } ?? "in place"
            lines.append(
                "  from \(step.source.joined(separator: "+")) to \(step.destination.joined(separator: "+")), \(way)"
            )
        }
        lines.append(
            configuration.backupCount > 0
                ? "The old store will be kept beside it." : "The old store will not be kept.")
        return lines
    }

    /// Migrates the store, with a progress bar when standard error is a terminal.
    ///
    /// - Returns: what to print.
    func migrate() throws -> String {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let bar = Mutex(ProgressBar())
        defer { bar.withLock { $0?.clear() } }
        let migration = try configuration.migration { progress in
            bar.withLock { $0?.show(progress.fraction, progress.activity.phrase) }
        }
        guard access(path, F_OK) == 0 else { return "\(path): there is no store yet; nothing to migrate" }
        let report = try coordinator.addStore(store, migrating: migration)
        coordinator.close()
        guard let report else { return "\(path): of the present model already; nothing to migrate" }
        return "\(report.summary(of: path)); \(report.backupPhrase)"
    }
}
