internal import Alerts
internal import ConfigurationFiles
internal import ObjectStore
internal import Systemd
internal import TodoAPI
internal import TodoService

/// Keeps the current configuration, and reports its wrong lines.
///
/// The reports go to the journal, to the service manager, to the desktop, and to the next command. Confined to the
/// daemon's queue.
final class ConfigurationMonitor {
    private let read: () -> LoadedConfiguration
    private let log: Log
    private(set) var current: LoadedConfiguration
    /// The store that was chosen at the start.
    var store: StoreChoice?
    /// Returns the warning about a new, empty store that a configuration selects, or `nil` if there is none.
    var findNewStoreWarning: (LoadedConfiguration) -> NewStoreWarning? = { _ in nil }
    /// Returns the wrong lines of the section `[Sync]`. todod-sync reports them when it reads them.
    var findSyncProblems: () -> [ConfigurationProblem] = { [] }
    /// The warning about the store of the current configuration.
    private(set) var newStoreWarning: String?
    /// The problems that `takeWarnings` has returned already.
    private var known: Set<ConfigurationProblem> = []
    /// The warning about the store that `takeWarnings` has returned already.
    private var knownNewStoreWarning: String?

    /// Creates a monitor, and reads the files for the first time.
    init(log: Log, read: @escaping () -> LoadedConfiguration) {
        self.log = log
        self.read = read
        current = read()
    }

    /// Reads the files again and makes the result the current configuration.
    func reload() {
        current = read()
        known.formIntersection(current.problems)
        let names = { (settings: [SettingState]) in settings.map { "\($0.name)=" }.joined(separator: " and ")
        }
        let waiting = names(settingsAwaitingRestart(in: current))
        let held = names(settingsAwaitingCorrection(in: current))
        log.write(
            .notice,
            "The configuration was read again"
                + (waiting.isEmpty ? "" : "; \(waiting) of [Store] will be used after a restart")
                + (held.isEmpty ? "" : "; \(held) of [Store] will not be used while another line is wrong"),
            id: .configurationReloaded)
    }

    /// Reads the files without applying them.
    func check() -> LoadedConfiguration { read() }

    /// The settings that the daemon uses. The settings of `[Store]` are those of its start.
    var states: [SettingState] {
        current.states.map { state in store?.settings.first { $0.name == state.name } ?? state }
    }

    /// Returns the settings of newly read files that a reload would change.
    func changes(in found: LoadedConfiguration) -> [SettingState] {
        let present = Set(current.states.map { [$0.name, $0.value] })
        return found.states.filter { $0.section != "Store" && !present.contains([$0.name, $0.value]) }
    }

    /// Returns the settings of newly read files that take effect at the next start.
    func settingsAwaitingRestart(in loaded: LoadedConfiguration) -> [SettingState] {
        store?.settingsAwaitingRestart(in: loaded) ?? []
    }

    /// Returns the correct lines of `[Store]` that are not used because another line is wrong.
    func settingsAwaitingCorrection(in loaded: LoadedConfiguration) -> [SettingState] {
        store?.settingsAwaitingCorrection(in: loaded) ?? []
    }

    /// Returns the problems and the warning that were not returned before.
    func takeWarnings() -> [String] {
        defer { (known, knownNewStoreWarning) = (Set(current.problems), newStoreWarning) }
        return current.problems.filter { !known.contains($0) }.map { "\($0); \($0.consequence(with: store))" }
            + [newStoreWarning].compactMap { $0 == knownNewStoreWarning ? nil : $0 }
    }

    /// Writes the wrong lines to the journal, and shows them on the desktop until a later report has none.
    func report(to show: (DesktopNotice?) -> Void) {
        for problem in current.problems {
            log.write(
                .warning, "\(problem); \(problem.consequence(with: store))", id: .configurationRejected,
                fields: [(name: "TODO_PATH", value: problem.path)])
        }
        newStoreWarning = findNewStoreWarning(current)?.description
        if let newStoreWarning { log.write(.warning, "\(newStoreWarning)") }
        show(DesktopNotice(ignored: current.problems) ?? newStoreWarning.map(DesktopNotice.init(newStore:)))
    }

    /// A summary of the wrong lines for `systemctl status`, or `nil` if there are none.
    var summary: String? {
        guard let first = current.problems.first else { return newStoreWarning }
        let others = current.problems.count - 1
        return "\(first); \(first.consequence(with: store))"
            + (others > 0 ? "; \(others) more in the journal" : "")
    }
}

extension ConfigurationProblem {
    /// Returns the consequence of the problem, in words, given the store that the daemon uses.
    func consequence(with choice: StoreChoice?) -> String {
        let effect = line == nil ? "it is ignored" : "the line is ignored"
        guard let choice, let path = choice.store.path else { return effect }
        if choice.source == .lastStart {
            return "\(effect), and the items stay in \(path) until it is corrected"
        }
        return mayConcernStore ? "\(effect), and the items stay in \(path)" : effect
    }
}
