internal import Alerts
internal import ObjectStore
internal import Platform
internal import Reminders
internal import Systemd
internal import TodoService
internal import Varlink

/// Moves the items to another store when the configuration selects another kind of store than before.
///
/// Only stores with the default names in one directory are affected. Before the new store is created, the old one
/// records the kind of the new one, and the new one gets the same record. A crash can leave both files. Their records
/// show which one is older, regardless of the kind that the configuration selects then. The older one is renamed, so
/// that it is never used as the current one.
struct StoreChange {
    /// The key of the record in the metadata of a store. Its value is the kind of the store to which the items moved
    /// last.
    private static let metadataKey = "storeKind"

    /// The stores with older copies of the items, which will be renamed.
    private let leftovers: [StoreKind]
    /// The store that has the items, if the wanted one is missing or a leftover.
    private let source: StoreKind?
    /// The other stores with default names.
    private let unused: [StoreKind]
    private let directory: String
    /// The store to open, in `directory`.
    private let wanted: StoreConfiguration

    /// Finds out how the store must change before it is opened, or returns `nil` if it has no default name.
    ///
    /// - Throws: a `StoreError` if it is unclear which file has the items, or if that file cannot be read.
    init?(to choice: StoreChoice) throws {
        wanted = choice.store
        guard let path = wanted.path else { return nil }
        directory = FileSystem.split(path).directory
        guard path == wanted.kind.defaultPath(in: directory) else { return nil }
        let files = DefaultFiles(in: directory)
        let wantedKind = wanted.kind
        let leftovers = files.present.filter { !files.successors(of: $0).isEmpty }
        let others = files.present.filter { $0 != wantedKind && !leftovers.contains($0) }
        let isThere = files.present.contains(wantedKind)
        if isThere { try files.requireReadableSuccessor(of: wantedKind) }
        let isNamed = choice.source == .defaultPlace
        let isCurrent = isThere && !leftovers.contains(wantedKind)
        var sources = isCurrent ? [] : isThere ? files.successors(of: wantedKind) : isNamed ? others : []
        if sources.count > 1 {
            let last = sources.filter { [directory] in
                choice.recorded?.path == $0.defaultPath(in: directory)
            }
            if !last.isEmpty { sources = last }
        }
        guard sources.count < 2 else {
            throw StoreError(
                .other,
                "it is unclear whether the items are in \(Self.names(sources)); move the unwanted file away",
                path: directory)
        }
        self.leftovers = leftovers
        source = sources.first
        unused = isCurrent && isNamed ? others : []
    }

    /// The error if the items cannot be moved. They are still in the old store.
    struct Failure: Error, CustomStringConvertible {
        let source: StoreConfiguration
        fileprivate let reason: any Error

        var description: String { "the items cannot be moved: \(reason)" }
    }

    /// The stores with default names in a directory, and their records.
    private struct DefaultFiles {
        let present: [StoreKind]
        private let directory: String
        /// The metadata of the stores that can be read.
        ///
        /// A file that cannot be read does not prevent a start, unless it is the one with the items.
        private var stores: [StoreKind: StoreMetadata] = [:]

        /// Finds the stores and, if there are several, reads their metadata.
        ///
        /// - Parameter isAlone: whether the metadata is needed even if there is only one store.
        init(in directory: String, evenIfAlone isAlone: Bool = false) {
            self.directory = directory
            present = StoreKind.selectable.filter { FileSystem.exists($0.defaultPath(in: directory)) }
            guard present.count > 1 || isAlone else { return }
            for kind in present { stores[kind] = try? metadata(of: kind) }
        }

        private func metadata(of kind: StoreKind) throws -> StoreMetadata? {
            try StoreConfiguration(kind, path: kind.defaultPath(in: directory)).storedMetadata()
        }

        /// Whether the items moved to this store last.
        func isCurrent(_ kind: StoreKind) -> Bool {
            stores[kind]?.entries[metadataKey] == kind.name
        }

        /// Returns the stores to which the items of this one moved.
        func successors(of kind: StoreKind) -> [StoreKind] {
            guard let store = stores[kind], store.entries[metadataKey] != nil, !isCurrent(kind) else {
                return []
            }
            return present.filter { isCurrent($0) && stores[$0]?.identifier == store.identifier }
        }

        /// Throws if the items of the store moved to a file that cannot be read.
        func requireReadableSuccessor(of kind: StoreKind) throws {
            guard let name = stores[kind]?.entries[metadataKey],
                let successor = StoreKind.selectable(named: name),
                present.contains(successor), stores[successor] == nil
            else { return }
            _ = try metadata(of: successor)
        }
    }

    /// Returns the store that has the items of a missing one.
    ///
    /// The daemon may have been killed after a change of kind renamed the old file and before the new one was recorded.
    /// Returns `nil` if the store exists or has no default name, or if no single store beside it can have its items.
    static func successor(of store: StoreConfiguration) -> StoreConfiguration? {
        guard let path = store.path, !FileSystem.exists(path) else { return nil }
        let directory = FileSystem.split(path).directory
        guard path == store.kind.defaultPath(in: directory) else { return nil }
        let files = DefaultFiles(in: directory, evenIfAlone: true)
        let current = files.present.filter(files.isCurrent)
        guard current.count == 1, let kind = current.first else { return nil }
        return StoreConfiguration(kind, path: kind.defaultPath(in: directory))
    }

    /// The store from which the items will move, or `nil` if they are in the wanted one.
    var sourceStore: StoreConfiguration? { source.map { StoreConfiguration($0, path: path($0)) } }

    /// Records that an opened store is the current one. It can change from now on, so it is not an older copy.
    static func recordUse(of store: (any PersistentStore)?, as kind: StoreKind) throws {
        guard let store, let recorded = store.metadata.entries[metadataKey], recorded != kind.name else {
            return
        }
        do {
            try record(kind, in: store)
        } catch {
            let directory = FileSystem.split(store.name).directory
            let successor = StoreKind.selectable(named: recorded).map { $0.defaultPath(in: directory) }
            if let successor, FileSystem.exists(successor) { throw error }
        }
    }

    private static func record(_ kind: StoreKind, in store: any PersistentStore) throws {
        var entries = store.metadata.entries
        entries[metadataKey] = kind.name
        try store.setMetadataEntries(entries)
    }

    /// Renames older copies, and moves the items to the wanted store if another one has them.
    func run(_ configuration: Configuration, _ log: Log) throws {
        for kind in leftovers {
            do {
                let kept = try setAside(kind)
                log.write(.notice, "\(path(kind)) was an older copy of the items; it is kept as \(kept)")
            } catch {
                if let sourceStore { throw Failure(source: sourceStore, reason: error) }
                log.write(
                    .warning, "\(path(kind)) is an older copy of the items and cannot be renamed: \(error)")
            }
        }
        if let source { try copyItems(from: source, configuration, log) }
        guard !unused.isEmpty else { return }
        log.write(
            .warning,
            "\(Self.names(unused)) in \(directory) is not used: [Store] Type= is \(wanted.kind)")
    }

    /// Creates the wanted store, which gets its name when all of it is on disk, and renames the old one.
    private func copyItems(from old: StoreKind, _ configuration: Configuration, _ log: Log) throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        defer { coordinator.close() }
        try coordinator.addStore(
            StoreConfiguration(old, path: path(old)), migrating: configuration.migration())
        guard let source = coordinator.store else { return }
        do {
            try Self.record(wanted.kind, in: source)
            try coordinator.migrate(store: source, to: wanted)
        } catch {
            throw Failure(source: StoreConfiguration(old, path: path(old)), reason: error)
        }
        coordinator.close()
        let name = "todo.\(wanted.kind)"
        do {
            let kept = try setAside(old)
            log.write(
                .notice, "The items were moved to \(name); the old file is kept as \(kept)")
        } catch {
            // Retried at the next start.
            log.write(.warning, "The items are in \(name) now; \(path(old)) cannot be renamed: \(error)")
        }
    }

    /// Renames a file, so that it is never used as the current store.
    ///
    /// - Returns: the new path.
    func setAside(_ kind: StoreKind) throws -> String {
        let kept = Self.freeName(path(kind) + ".old")
        try StoreBackup.setAside(StoreConfiguration(kind, path: path(kind)), as: kept)
        return kept
    }

    private func path(_ kind: StoreKind) -> String { kind.defaultPath(in: directory) }

    private static func names(_ kinds: [StoreKind]) -> String {
        kinds.map { "todo.\($0)" }.joined(separator: " and ")
    }

    private static func freeName(_ path: String) -> String {
        var name = path
        var number = 1
        while FileSystem.exists(name) {
            number += 1
            name = "\(path).\(number)"
        }
        return name
    }
}
