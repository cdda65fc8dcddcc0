internal import Glibc
internal import ObjectStore
internal import TodoAPI

/// The store that the daemon opens: the one that the command line or the configuration names or, when a wrong line leaves
/// that in doubt, the one that was opened last.
struct StoreChoice {
    let store: StoreConfiguration
    let source: Source

    enum Source {
        case commandLine, configuration, lastStart
        /// The configuration names no file. The store is in the default place, where a change of its kind brings the items
        /// along.
        case defaultPlace
    }

    /// Throws `StoreInDoubt` when a wrong line may have been meant to name the store and no store is there that was opened
    /// before. In doubt no store is made.
    init(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord
    ) throws(StoreInDoubt) {
        let settings = loaded.settings
        if let path = options.storePath {
            store = StoreConfiguration(settings.storeKind, path: path)
            source = .commandLine
        } else if loaded.isStoreInDoubt {
            guard let last = record.store else { throw StoreInDoubt(loaded, missing: nil) }
            store = last
            source = .lastStart
        } else if let path = settings.storePath {
            store = StoreConfiguration(settings.storeKind, path: Self.expandingHome(path))
            source = .configuration
        } else {
            let path = StoreChange.path(of: settings.storeKind, in: directories.data)
            store = StoreConfiguration(settings.storeKind, path: path)
            source = .defaultPlace
        }
        if loaded.isStoreInDoubt, let path = store.path, access(path, F_OK) != 0 {
            throw StoreInDoubt(loaded, missing: path)
        }
    }

    /// How the API shows a setting, given the store that is open.
    func state(_ setting: SettingState) -> SettingState {
        guard setting.section == "Store" else { return setting }
        var shown = setting
        if setting.name == "Path" { shown.value = store.path ?? "" }
        switch source {
        case .commandLine where setting.name == "Path": shown.clearOrigin(.commandLine)
        case .lastStart:
            if setting.name == "Type" { shown.value = store.kind.rawValue }
            shown.clearOrigin(.lastStart)
        default: break
        }
        return shown
    }

    private static func expandingHome(_ path: String) -> String {
        path.hasPrefix("~/") ? UserDirectories.home() + path.dropFirst() : path
    }
}

extension SettingState {
    fileprivate mutating func clearOrigin(_ source: Source) {
        self.source = source
        path = nil
        line = nil
    }
}

/// The configuration does not say for certain which store holds the items, and there is no store that was opened before.
struct StoreInDoubt: Error {
    /// The lines that may have been meant to name the store.
    let problems: [ConfigurationProblem]
    let advice: String

    fileprivate init(_ loaded: LoadedConfiguration, missing path: String?) {
        problems = loaded.problems.filter(\.mayConcernStore)
        let reason =
            path.map { "the store \($0) is not there" } ?? "it has not recorded which store it opened last"
        advice = "The daemon does not start: this line may name the store, and \(reason)"
    }
}
