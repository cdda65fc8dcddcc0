/// The settings for migrating a store to the model of a coordinator, passed to `addStore`.
///
///     let migration = StoreMigration(versions: [version1, version2, version3])
///     try coordinator.addStore(.sqlite(path: path), migrating: migration)
///
/// A migration follows a chain of mapping models from the version of the store to the current one. The chain
/// consists of the given mapping models and, for adjacent versions without one, of inferred mapping models.
/// The shortest chain is used. Either the whole chain is performed or the store is unchanged.
public struct StoreMigration: Sendable {
    /// All versions of the model, the oldest first.
    public var versions: [ManagedObjectModel]
    /// The mapping models that are not inferred.
    public var mappings: [MappingModel]
    /// Whether a mapping model is inferred for adjacent versions that have none.
    public var infersMappings: Bool
    /// The number and location of backups of old stores.
    public var backups: Backups
    /// Called with the progress at every step and during long steps.
    public var progress: @Sendable (MigrationProgress) -> Void

    /// The number and location of backups of old stores.
    public struct Backups: Hashable, Sendable {
        /// The number of old stores that are kept. With 0, no backup is made.
        public var count: Int
        /// The directory of the backups, or `nil` for the directory of the store.
        public var directory: String?

        /// Creates the settings for backups.
        public init(count: Int = 3, directory: String? = nil) {
            self.count = count
            self.directory = directory
        }
    }

    /// Creates the settings of a migration.
    public init(
        versions: [ManagedObjectModel], mappings: [MappingModel] = [], infersMappings: Bool = true,
        backups: Backups = Backups(), progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) {
        self.versions = versions
        self.mappings = mappings
        self.infersMappings = infersMappings
        self.backups = backups
        self.progress = progress
    }
}

/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
    /// A part of a migration.
    public enum Activity: Hashable, Sendable {
        /// The old store is read and checked for damage.
        case examining
        /// The old store is copied to a backup.
        case backingUp
        /// The store is changed in place, in a transaction.
        case changing
        /// The objects are copied to a new file next to the store.
        case copying
        /// The new store is checked.
        case checking
        /// The new store replaces the old one. Until this succeeds, the store is the old one.
        case committing
        /// Files that are no longer needed are removed.
        case cleaningUp
    }

    /// The current part of the migration.
    public let activity: Activity
    /// The part of the whole migration that is done, from 0 to 1. It never decreases.
    public let fraction: Double

    /// Creates a progress.
    public init(activity: Activity, fraction: Double) {
        self.activity = activity
        self.fraction = fraction
    }
}

/// The result of a migration, or of a forecast.
public struct MigrationReport: Hashable, Sendable {
    /// The migration from one version of a model to another.
    public struct Step: Hashable, Sendable {
        /// The version identifiers of the source model.
        public let source: [String]
        /// The version identifiers of the destination model.
        public let destination: [String]
        /// The reason why the objects have to be copied one by one, or `nil` if the store is changed in
        /// place.
        public let reasonToCopy: String?
    }

    /// The steps from the version of the store to that of the coordinator.
    public let steps: [Step]
    /// The number of objects in the old store.
    public let objectCount: Int
    /// The path of the backup of the old store, or `nil` if there is none.
    public internal(set) var backupPath: String?

    /// The version identifiers of the model of the store before the migration.
    public var source: [String] { steps.first?.source ?? [] }
    /// The version identifiers of the model of the store after the migration.
    public var destination: [String] { steps.last?.destination ?? [] }
}
