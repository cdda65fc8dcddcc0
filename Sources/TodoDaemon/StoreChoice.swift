internal import ObjectStore
internal import TodoAPI

/// The store that the daemon opens: the one that the command line or the configuration names.
struct StoreChoice {
    let store: StoreConfiguration
    /// Whether the store is in the default place, where a change of its kind brings the items along.
    let followsKind: Bool

    /// Throws `StoreInDoubt` when a wrong line may have been meant to name the store.
    init(
        _ loaded: LoadedConfiguration, _ options: DaemonOptions, _ directories: UserDirectories
    ) throws(StoreInDoubt) {
        let settings = loaded.settings
        if loaded.isStoreInDoubt {
            throw StoreInDoubt(problems: loaded.problems.filter(\.mayConcernStore))
        }
        let named = options.storePath ?? settings.storePath.map { Self.expandingHome($0) }
        let path = named ?? StoreChange.path(of: settings.storeKind, in: directories.data)
        store = StoreConfiguration(settings.storeKind, path: path)
        followsKind = named == nil
    }

    private static func expandingHome(_ path: String) -> String {
        path.hasPrefix("~/") ? UserDirectories.home() + path.dropFirst() : path
    }
}

/// The configuration does not say for certain which store holds the items, and no earlier start has recorded it.
struct StoreInDoubt: Error {
    /// The lines that may have been meant to name it.
    let problems: [ConfigurationProblem]

    let advice = "todod does not start, because it could open or create a store that is not yours"
}
