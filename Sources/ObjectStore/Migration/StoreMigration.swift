/// How a store of an older model becomes one of the coordinator's: what `addStore` of a coordinator takes.
///
///     let migration = StoreMigration(versions: [version1, version2, version3])
///     try coordinator.addStore(.sqlite(path: path), migrating: migration)
///
/// The way from the version of the store to the present one is a chain of mapping models: those given, and
/// where none is given for two neighbours, the inferred one. Of several ways the shortest is taken. Either all
/// of the chain is carried out, or the store stays as it was.
public struct StoreMigration: Sendable {
    /// The versions there are, the oldest first.
    public var versions: [ManagedObjectModel]
    public var mappings: [MappingModel]
    /// Whether two neighbours without a mapping model get the inferred one.
    public var infersMappings: Bool
    public var backups: Backups
    /// Is told what is going on, at every step and within long ones.
    public var progress: @Sendable (MigrationProgress) -> Void

    /// What is kept of the old store.
    public struct Backups: Hashable, Sendable {
        /// How many old stores are kept; with 0 none is.
        public var count: Int
        /// Where they are kept; nil for the directory of the store.
        public var directory: String?

        public init(count: Int = 3, directory: String? = nil) {
            self.count = count
            self.directory = directory
        }
    }

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

/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
    public enum Activity: Hashable, Sendable {
        /// The old store is read, in search of damage.
        case examining
        /// The old store is copied, to be kept.
        case backingUp
        /// The store is changed where it is, inside of a transaction.
        case changing
        /// The objects are made anew in a file beside.
        case copying
        /// What came out is checked.
        case checking
        /// The new state takes the place of the old one; before it the old one is there, after it the new one.
        case committing
        /// What is not needed any more is removed.
        case cleaningUp
    }

    public let activity: Activity
    /// Of the whole migration, from 0 to 1; it never goes back.
    public let fraction: Double
}

/// What a migration did, or, when it is only forecast, what it would do.
public struct MigrationReport: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        /// The version identifiers of the two models.
        public let source: [String]
        public let destination: [String]
        /// Why the objects have to be copied one by one; nil when the store is changed in place.
        public let reasonToCopy: String?
    }

    public let steps: [Step]
    /// How many objects there were in the old store.
    public let objectCount: Int
    /// The old store; nil when none is kept.
    public internal(set) var backupPath: String?

    public var source: [String] { steps.first?.source ?? [] }
    public var destination: [String] { steps.last?.destination ?? [] }
}
