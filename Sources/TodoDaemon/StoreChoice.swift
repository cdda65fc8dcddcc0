internal import Glibc
internal import ObjectStore
internal import TodoAPI

/// The store that the daemon opens: the one that the command line or the configuration names or, when a wrong line leaves
/// that in doubt, the one that was opened last.
struct StoreChoice {
    let store: StoreConfiguration
    let source: Source
    /// Whether the next starts, too, are to open this store when they are in doubt.
    let isRecorded: Bool
    /// The settings of `[Store]` as the daemon uses them.
    let settings: [SettingState]
    private let commandLinePath: String?
    private let dataDirectory: String

    enum Source {
        case commandLine, configuration, lastStart
        /// The configuration names no file. The store is in the default place, where a change of its kind brings the items
        /// along.
        case defaultPlace
    }

    /// Any wrong line may have been meant to name the store, under whatever name. So the configuration is trusted with a line
    /// ignored only if it selects the store that was opened last, or if no store is recorded.
    ///
    /// - Parameter isRestoring: whether a missing store is about to be restored.
    /// - Throws: `StoreInDoubt` if a wrong line may concern the store and none is recorded, or if the store that was opened last
    ///   is missing. In doubt no store is made.
    init(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord, isRestoring: Bool = false
    ) throws(StoreInDoubt) {
        commandLinePath = options.storePath
        dataDirectory = directories.data
        let selected = Self.selected(loaded.settings, commandLinePath, dataDirectory)
        let recorded = record.store
        let last = recorded.map { StoreChange.successor(of: $0) ?? $0 }
        if let last, last != selected.store, selected.source != .commandLine, !loaded.problems.isEmpty {
            store = last
            source = .lastStart
        } else {
            (store, source) = selected
        }
        if last == nil, source != .commandLine, loaded.mayConcernStore {
            throw StoreInDoubt(loaded, "it has not recorded which store it opened last")
        }
        if let path = store.path, StoreCheck.isMissing(path) {
            if source == .lastStart || loaded.mayConcernStore {
                throw StoreInDoubt(loaded, "the store \(path) is not there")
            }
            // The disk may not be mounted. In the default place a file that was removed is made again.
            let isOnOtherDisk = source == .configuration || source == .defaultPlace && StoreCheck.isLink(path)
            if isOnOtherDisk, recorded?.path == path, !isRestoring {
                throw StoreInDoubt(loaded, missing: path, record)
            }
        }
        isRecorded = source != .commandLine && (loaded.problems.isEmpty || last == nil)
        settings = Self.settings(of: store, source, loaded)
    }

    /// The configuration with one wrong line more if `Path=` and `Type=` select a store that cannot be opened or made. The store
    /// that was opened last is not checked: the daemon may have it open.
    static func checked(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord
    ) -> LoadedConfiguration {
        let selected = selected(loaded.settings, options.storePath, directories.data)
        guard selected.source == .configuration, let last = record.store, last != selected.store,
            let reason = StoreCheck.reason(against: selected.store)
        else { return loaded }
        var checked = loaded
        checked.addUnusableStore(reason: reason)
        return checked
    }

    /// The settings of `[Store]` that take effect at the next start.
    func settingsAwaitingRestart(in loaded: LoadedConfiguration) -> [SettingState] {
        isHeld(by: loaded) ? [] : otherSettings(in: loaded)
    }

    /// The lines of `[Store]` that are right and not used, because another line is wrong.
    func settingsAwaitingCorrection(in loaded: LoadedConfiguration) -> [SettingState] {
        isHeld(by: loaded) ? otherSettings(in: loaded).filter { $0.line != nil } : []
    }

    /// Whether a wrong line leaves the open store in use.
    private func isHeld(by loaded: LoadedConfiguration) -> Bool {
        !loaded.problems.isEmpty && commandLinePath == nil
    }

    /// The settings of `[Store]` that select another store than the open one.
    private func otherSettings(in loaded: LoadedConfiguration) -> [SettingState] {
        let next = Self.selected(loaded.settings, commandLinePath, dataDirectory)
        let present = Set(settings.map(\.value))
        return Self.settings(of: next.store, next.source, loaded).filter { !present.contains($0.value) }
    }

    /// The store that the right lines select.
    private static func selected(
        _ settings: Configuration, _ commandLinePath: String?, _ dataDirectory: String
    ) -> (store: StoreConfiguration, source: Source) {
        let kind = settings.storeKind
        if let path = commandLinePath { return (StoreConfiguration(kind, path: path), .commandLine) }
        if let path = settings.storePath {
            return (StoreConfiguration(kind, path: expandingHome(path)), .configuration)
        }
        return (StoreConfiguration(kind, path: StoreChange.path(of: kind, in: dataDirectory)), .defaultPlace)
    }

    /// The settings of `[Store]` with which the daemon opens the store.
    private static func settings(
        of store: StoreConfiguration, _ source: Source, _ loaded: LoadedConfiguration
    ) -> [SettingState] {
        loaded.states.filter { $0.section == "Store" }.map { setting in
            var shown = setting
            shown.value = (setting.name == "Path" ? store.path : store.kind.rawValue) ?? ""
            switch source {
            case .commandLine where setting.name == "Path": shown.clearOrigin(.commandLine)
            case .lastStart: shown.clearOrigin(.lastStart)
            default: break
            }
            return shown
        }
    }

    /// An absolute path in one spelling: without `~`, empty components and `.`. A slash at its end stays.
    private static func expandingHome(_ path: String) -> String {
        let whole = path.hasPrefix("~/") ? UserDirectories.home() + path.dropFirst() : path
        let components = whole.split(separator: "/").filter { $0 != "." }
        return "/" + components.joined(separator: "/") + (whole.hasSuffix("/") ? "/" : "")
    }
}

extension SettingState {
    fileprivate mutating func clearOrigin(_ source: Source) {
        self.source = source
        path = nil
        line = nil
    }
}

/// The daemon cannot know which store holds the items, or that store is missing.
struct StoreInDoubt: Error {
    /// The lines that may have been meant to name the store.
    let problems: [ConfigurationProblem]
    let advice: String

    fileprivate init(_ loaded: LoadedConfiguration, _ reason: String) {
        let concerned = loaded.problems.filter(\.mayConcernStore)
        problems = concerned.isEmpty ? loaded.problems : concerned
        advice =
            """
            The daemon does not start: this may have been meant to name the store, and \(reason). Correct it and start \
            todod again
            """
    }

    /// The configuration names a store that was there at the last start.
    fileprivate init(_ loaded: LoadedConfiguration, missing path: String, _ record: StoreRecord) {
        let origin = loaded.origins["Path"]
        problems = [
            .init(
                path: origin?.path ?? record.configuration, line: origin?.line,
                reason: "Path=: the store \(path) is not there")
        ]
        advice = """
            The daemon does not start: it opened this store last, and makes no empty one in its place. If it is on a disk that \
            is not mounted, mount the disk. 'todod --restore COPY' restores a copy. To begin with an empty store, remove the \
            record of the old one:  rm \(ShellWord.quoted(record.path))
            """
    }
}
