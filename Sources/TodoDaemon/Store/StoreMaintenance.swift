internal import CivilTime
internal import ObjectStore
internal import Platform
internal import Reminders
internal import TodoAPI
internal import TodoService

/// The actions of `todod --check`, `--migrate` and `--restore`, which work on the store alone.
struct StoreMaintenance {
    private let choice: StoreChoice
    private let configuration: Configuration

    init(_ choice: StoreChoice, _ configuration: Configuration) {
        self.choice = choice
        self.configuration = configuration
    }

    private var store: StoreConfiguration { choice.store }
    private var path: String { store.path ?? "" }

    /// Reads the whole store and reports how the daemon would use it. Nothing is written.
    ///
    /// - Returns: the lines to print, and whether the daemon could use the store.
    func check() throws -> (lines: [String], isSound: Bool) {
        guard let source = try StoreChange(to: choice)?.sourceStore else { return try check(store) }
        var (lines, isSound) = try check(source)
        if isSound { lines.append("The daemon will move the items to \(path).") }
        return (lines, isSound)
    }

    private func check(_ store: StoreConfiguration) throws -> (lines: [String], isSound: Bool) {
        let path = store.path ?? ""
        try store.requireUsableFiles()
        guard FileSystem.exists(path) else {
            if let obstacle = StoreCheck.obstacle(toCreating: path) {
                throw StoreError(.unreachable, obstacle)
            }
            return (["\(path): there is no store yet; the daemon creates one when it starts"], true)
        }
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let forecast = try coordinator.forecast(store, migrating: configuration.migration())
        let problems = try StoreBackup.problems(of: store, model: forecast == nil ? coordinator.model : nil)
        if problems.isEmpty, forecast == nil, store.kind != .sqlite {
            // In a file that is written as a whole, only the model shows some errors that prevent a start.
            try coordinator.addStore(StoreConfiguration(store.kind, path: path, readOnly: true))
            coordinator.close()
        }
        var lines = problems.map { "\(path): \($0)" }
        if !problems.isEmpty {
            lines.append(
                "The store is damaged. Stop the daemon, then run 'todod --restore COPY', which keeps the damaged store."
            )
        } else if let forecast {
            lines += description(of: forecast, path)
        } else {
            lines.append("\(path): sound, and of the current model")
        }
        if problems.isEmpty, try StoreBackup.isInterrupted(store) {
            lines.append("A crash interrupted its last change, which the next start rolls back.")
        }
        return (lines, problems.isEmpty)
    }

    private func description(of forecast: MigrationReport, _ path: String) -> [String] {
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

    /// Migrates the store, with a progress bar if standard error is a terminal.
    ///
    /// - Returns: the text to print.
    func migrate() throws -> String {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        let bar = Locked(ProgressBar())
        defer { bar.withLock { $0?.clear() } }
        let migration = try configuration.migration { progress in
            bar.withLock { $0?.show(progress.fraction, progress.activity.phrase) }
        }
        guard FileSystem.exists(path) else { return "\(path): there is no store yet; nothing to migrate" }
        let report = try coordinator.addStore(store, migrating: migration)
        coordinator.close()
        guard let report else { return "\(path): already of the current model; nothing to migrate" }
        return "\(report.summary(of: path)); \(report.backupPhrase)"
    }

    /// Replaces the store with a copy.
    ///
    /// - Returns: the text to print.
    func restore(from copy: String, at now: Timestamp) throws -> String {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        // A copy that the daemon cannot use must not replace the store.
        let forecast = try coordinator.forecast(
            StoreConfiguration(store.kind, path: copy), migrating: configuration.migration())
        let old = SafetyCopy.freePath(beside: resolvedPath, before: SafetyCopy.restoration, at: now)
        let isKept = try StoreBackup.restore(store, from: copy, keeping: old)
        var lines = ["\(path): restored from \(copy)"]
        if isKept { lines.append("The old store is kept as \(old).") }
        // The next start would treat the copy as the older store.
        if let change = try StoreChange(to: choice), let source = change.sourceStore {
            lines.append("\(source.path ?? "") is kept as \(try change.setAside(source.kind)).")
        }
        if forecast != nil { lines.append("It is of an older model; the daemon will migrate it.") }
        return lines.joined(separator: "\n")
    }

    /// The path of the store without links. Only there can it be kept under another name.
    private var resolvedPath: String { (try? FileSystem.resolved(path)) ?? path }
}
