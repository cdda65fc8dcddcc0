internal import ConfigurationFiles
internal import ObjectStore
internal import Platform
internal import TodoAPI
internal import TodoService

/// The store that the daemon opens.
///
/// The command line or the configuration names it. If a wrong line leaves that in doubt, the daemon opens the store of
/// the last start.
struct StoreChoice {
    let store: StoreConfiguration
    let source: Source
    /// Whether later starts open this store if they are in doubt.
    let isRecorded: Bool
    /// The store that was opened last, or `nil` if none is recorded.
    let recorded: StoreConfiguration?
    /// The settings of `[Store]` as the daemon uses them.
    let settings: [SettingState]
    private let commandLinePath: String?
    private let dataDirectory: String

    enum Source {
        case commandLine, configuration, lastStart
        /// The configuration names no file. The store is in the default place, where a change of its kind moves the
        /// items.
        case defaultPlace
    }

    /// A store that the configuration selects but the daemon cannot use.
    struct Refusal {
        let store: StoreConfiguration
        let reason: String
    }

    /// Chooses the store to open.
    ///
    /// Any wrong line may have been meant to name the store, even if its key is misspelled. A configuration with a
    /// wrong line is therefore trusted only if it selects the store that was opened last, or if no store is recorded.
    ///
    /// - Parameters:
    ///   - oldStore: the store that still has the items, because they could not be moved to the selected one; or `nil`.
    ///   - isRestoring: whether a missing store is about to be restored.
    /// - Throws: `StoreInDoubt` if a wrong line may concern the store and none is recorded, if the store that was opened
    ///   last is missing, or if a store has to be created and the record of the last one cannot be read. In doubt, no store
    ///   is created.
    init(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord, keepingItemsIn oldStore: StoreConfiguration? = nil,
        isRestoring: Bool = false
    ) throws(StoreInDoubt) {
        commandLinePath = options.storePath
        dataDirectory = directories.data
        let selected = Self.selected(loaded.settings, commandLinePath, dataDirectory)
        recorded = record.store
        let continued = recorded.map { StoreChange.successor(of: $0) ?? $0 }
        let last = oldStore != nil && (continued == nil || continued == selected.store) ? oldStore : continued
        if let last, last != selected.store, selected.source != .commandLine, !loaded.problems.isEmpty {
            store = last
            source = .lastStart
        } else {
            (store, source) = selected
        }
        if last == nil, source != .commandLine, loaded.mayConcernStore {
            throw StoreInDoubt(loaded, "it has not recorded which store it opened last")
        }
        if let path = store.path, FileSystem.isMissing(path) {
            if source == .lastStart || loaded.mayConcernStore {
                throw StoreInDoubt(loaded, "the store \(path) is missing")
            }
        }
        isRecorded = source != .commandLine && (loaded.problems.isEmpty || recorded == nil)
        settings = Self.settings(of: store, source, loaded)
        guard !isRestoring else { return }
        if let path = missing(last) { throw StoreInDoubt(loaded, missing: path, record) }
        // The store of the last start may be another one.
        if last == nil, source != .commandLine, store.path.map(FileSystem.isMissing) ?? false,
            let damage = record.damage
        {
            throw StoreInDoubt(loaded, unreadable: record, damage)
        }
    }

    /// Whether the store has to be created, and the daemon can use the store of the last start if that fails.
    var canReturn: Bool {
        guard source == .configuration, let recorded, recorded != store, let path = store.path else {
            return false
        }
        return FileSystem.isMissing(path)
    }

    /// Returns the path of the store that was opened last if it is missing and no other store may replace it.
    ///
    /// The missing store may be on a disk that is not mounted. An existing store with another path may replace it,
    /// because the file may have been moved. In the default place, a missing store is created again unless its path
    /// contains a symbolic link.
    private func missing(_ last: StoreConfiguration?) -> String? {
        guard source != .commandLine, let path = store.path else { return nil }
        let isMissing = FileSystem.isMissing(path)
        if isMissing, recorded?.path == path, source == .configuration || StoreCheck.hasLink(path) {
            return path
        }
        guard let lastPath = last?.path, lastPath != path, FileSystem.isMissing(lastPath) else { return nil }
        let isInDefaultPlace = FileSystem.split(lastPath).directory == dataDirectory
        if isInDefaultPlace {
            return StoreCheck.hasLink(lastPath) && (isMissing || source == .defaultPlace) ? lastPath : nil
        }
        return isMissing ? lastPath : nil
    }

    /// Returns the configuration, with an additional wrong line if the selected store cannot be used.
    ///
    /// A store can be used if it can be opened for writing or created. The store that was opened last is not checked,
    /// because the daemon may have it open.
    ///
    /// - Parameter refusal: the result of a failed attempt to use the selected store.
    static func checked(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord, _ refusal: Refusal? = nil
    ) -> LoadedConfiguration {
        let selected = selected(loaded.settings, options.storePath, directories.data)
        guard selected.source != .commandLine else { return loaded }
        var reason: String?
        if let refusal, refusal.store == selected.store {
            reason = refusal.reason
        } else if let owner = owner(of: selected.store, directories, record) {
            reason =
                "\(selected.store.path ?? ""): a file of the store \(owner) may get this name; choose another name"
        } else if let last = record.store, last != selected.store {
            reason = StoreCheck.reason(against: selected.store, last: last, loaded.settings)
        }
        guard let reason else { return loaded }
        var checked = loaded
        checked.addUnusableStore(reason: reason, configuration: record.configuration)
        return checked
    }

    /// Returns the path of the default store or the store of the last start to which a file of this name belongs, such as its
    /// log; or `nil` if there is none.
    private static func owner(
        of store: StoreConfiguration, _ directories: UserDirectories, _ record: StoreRecord
    ) -> String? {
        guard let path = store.path else { return nil }
        let defaults = StoreKind.selectable.map {
            StoreConfiguration($0, path: $0.defaultPath(in: directories.data))
        }
        let known = defaults + (record.store.map { [$0] } ?? []) + filesWithSuffix(path, store.kind)
        return known.first { StoreBackup.isReserved(path, by: $0) }?.path
    }

    /// Returns the existing files whose names are the beginning of the name of `path`, up to a `-` or a `.`.
    private static func filesWithSuffix(_ path: String, _ kind: StoreKind) -> [StoreConfiguration] {
        path.indices.filter { path[$0] == "-" || path[$0] == "." }.map { String(path[..<$0]) }
            .filter { !$0.isEmpty && !$0.hasSuffix("/") && FileSystem.exists($0) }
            .map { StoreConfiguration(kind, path: $0) }
    }

    /// Throws an error if the store of the command line has the name of a file that belongs to another store.
    static func requireFreeName(
        _ options: DaemonOptions, _ directories: UserDirectories, _ record: StoreRecord
    ) throws(StoreError) {
        guard let path = options.storePath,
            let owner = owner(of: StoreConfiguration(.sqlite, path: path), directories, record)
        else { return }
        throw StoreError(
            .other, "a file of the store \(owner) may get this name; choose another name for --store",
            path: path)
    }

    /// Returns the warning about a new, empty store that the configuration selects, or `nil` if there is none.
    static func newStoreWarning(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories,
        _ record: StoreRecord
    ) -> NewStoreWarning? {
        let (store, source) = selected(loaded.settings, options.storePath, directories.data)
        guard source != .commandLine else { return nil }
        guard loaded.problems.isEmpty else {
            // Because of a wrong line, the store of the last start stays in use.
            return record.store.flatMap { NewStoreWarning(about: $0, in: loaded, record) }
        }
        // In the default place, the items move to the store of another kind.
        let last = record.store
        if source == .defaultPlace, last != store, last?.path == last?.kind.defaultPath(in: directories.data)
        {
            return nil
        }
        return NewStoreWarning(about: store, in: loaded, record)
    }

    /// The settings of `[Store]` that take effect at the next start.
    func settingsAwaitingRestart(in loaded: LoadedConfiguration) -> [SettingState] {
        isHeld(by: loaded) ? [] : otherSettings(in: loaded)
    }

    /// Returns the correct lines of `[Store]` that are not used because another line is wrong.
    func settingsAwaitingCorrection(in loaded: LoadedConfiguration) -> [SettingState] {
        isHeld(by: loaded) ? otherSettings(in: loaded).filter { $0.line != nil } : []
    }

    /// Whether a wrong line leaves the open store in use.
    private func isHeld(by loaded: LoadedConfiguration) -> Bool {
        !loaded.problems.isEmpty && commandLinePath == nil
    }

    /// Returns the settings of `[Store]` that select another store than the open one.
    private func otherSettings(in loaded: LoadedConfiguration) -> [SettingState] {
        let next = Self.selected(loaded.settings, commandLinePath, dataDirectory)
        let present = Set(settings.map(\.value))
        return Self.settings(of: next.store, next.source, loaded).filter { !present.contains($0.value) }
    }

    /// Returns the store that the correct lines select.
    private static func selected(
        _ settings: Configuration, _ commandLinePath: String?, _ dataDirectory: String
    ) -> (store: StoreConfiguration, source: Source) {
        let kind = settings.storeKind
        if let path = commandLinePath { return (StoreConfiguration(kind, path: path), .commandLine) }
        if let path = settings.storePath {
            return (StoreConfiguration(kind, path: expandingHome(path)), .configuration)
        }
        return (StoreConfiguration(kind, path: kind.defaultPath(in: dataDirectory)), .defaultPlace)
    }

    /// Returns the settings of `[Store]` with which the daemon opens the store.
    private static func settings(
        of store: StoreConfiguration, _ source: Source, _ loaded: LoadedConfiguration
    ) -> [SettingState] {
        loaded.states.filter { $0.section == "Store" }.map { setting in
            var shown = setting
            shown.value = (setting.name == "Path" ? store.path : store.kind.name) ?? ""
            switch source {
            case .commandLine where setting.name == "Path": shown.clearOrigin(.commandLine)
            case .lastStart: shown.clearOrigin(.lastStart)
            default: break
            }
            return shown
        }
    }

    private static func expandingHome(_ path: String) -> String {
        FileSystem.normalized(path.hasPrefix("~/") ? Environment.home() + path.dropFirst() : path)
    }
}

extension SettingState {
    fileprivate mutating func clearOrigin(_ source: Source) {
        self.source = source
        path = nil
        line = nil
    }
}

/// The error if the daemon cannot know which store holds the items, or if that store is missing.
struct StoreInDoubt: Error {
    /// The lines that may have been meant to name the store.
    let problems: [ConfigurationProblem]
    let advice: String

    fileprivate init(_ loaded: LoadedConfiguration, _ reason: String) {
        let concerned = loaded.problems.filter(\.mayConcernStore)
        problems = concerned.isEmpty ? loaded.problems : concerned
        advice =
            """
            The daemon does not start: this line may name the store, and \(reason). Correct it and start todod again
            """
    }

    /// Creates the error for a store that was opened at the last start and is missing now.
    fileprivate init(_ loaded: LoadedConfiguration, missing path: String, _ record: StoreRecord) {
        problems = [
            loaded.problemWithStore("the store \(path) is missing", configuration: record.configuration)
        ]
        advice = """
            The daemon does not start: it opened this store last, and makes no empty one in its place. If it is on a disk that \
            is not mounted, mount the disk. 'todod --restore COPY' restores a copy. To begin with an empty store, remove the \
            record of the old one:  rm \(ShellWord.quoted(record.path))
            """
    }
    /// Creates the error for a new store if the record of the last one cannot be read.
    fileprivate init(_ loaded: LoadedConfiguration, unreadable record: StoreRecord, _ reason: String) {
        problems = [
            loaded.problemWithStore(
                "the record of the store that was opened last, \(record.path), cannot be read: \(reason)",
                configuration: record.configuration)
        ]
        advice = """
            The daemon does not start: without the record, it makes no empty store. If the items are in another place, set \
            Path= in [Store]. To begin with an empty store, remove the record:  rm -r \(ShellWord.quoted(record.path))
            """
    }
}
