internal import ConfigurationFiles
internal import ObjectStore
internal import Platform
internal import Reminders
internal import TodoAPI

/// A warning that the configuration selects a new, empty store while the items are in the store that was used before.
///
/// A mistyped file name in `Path=` has this effect.
struct NewStoreWarning: CustomStringConvertible {
    /// The store that was used before.
    let previous: StoreConfiguration
    private let path: String
    private let kind: StoreKind
    /// Whether the new store does not exist yet.
    private let isMissing: Bool
    /// The place of the line that selects the new store.
    private let place: String
    /// The number of items in the previous store, or `nil` if they cannot be counted.
    private let itemCount: Int?

    /// Returns the warning, or `nil` if the selected store is not new and empty, or if no store was used before that has
    /// items.
    ///
    /// A store stays new until a start finds items in it.
    init?(about selected: StoreConfiguration, in loaded: LoadedConfiguration, _ record: StoreRecord) {
        guard let path = selected.path, let last = record.store else { return nil }
        let isMissing = FileSystem.isMissing(path)
        if last != selected, !isMissing, Self.itemCount(of: selected) != 0 { return nil }
        // The last store may have been an empty one, too.
        for previous in [last, record.previous].compactMap(\.self) where previous != selected {
            guard let previousPath = previous.path, !FileSystem.isMissing(previousPath) else { continue }
            let itemCount = Self.itemCount(of: previous)
            guard itemCount != 0 else { continue }
            self.previous = previous
            self.itemCount = itemCount
            self.path = path
            kind = selected.kind
            self.isMissing = isMissing
            place = loaded.problemWithStore("", configuration: record.configuration).place
            return
        }
        return nil
    }

    /// Returns the number of items in a store, or `nil` if they cannot be counted.
    private static func itemCount(of store: StoreConfiguration) -> Int? {
        try? count(in: store)
    }

    private static func count(in store: StoreConfiguration) throws -> Int {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(StoreConfiguration(store.kind, path: store.path ?? "", readOnly: true))
        defer { coordinator.close() }
        return try ManagedObjectContext(coordinator: coordinator).count(FetchRequest<ToDo>())
    }

    /// The lines of `[Store]` that select the previous store.
    private var settings: String {
        let line = "Path=\(previous.path ?? "")"
        return previous.kind == kind ? line : "Type=\(previous.kind) and \(line)"
    }

    var description: String {
        let items = itemCount.map { "has \($0) \($0 == 1 ? "item" : "items")" } ?? "still exists"
        let new = isMissing ? "does not exist, and a start creates it empty" : "is a new store"
        return "\(place): the store \(path) \(new); the store used before, \(previous.path ?? ""), \(items). "
            + "To go back to it, set \(settings) in [Store] and restart todod"
    }
}
