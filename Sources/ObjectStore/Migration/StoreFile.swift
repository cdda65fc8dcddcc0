/// The file of a store that no coordinator has open. Each kind of store in a file has a type that conforms to this
/// protocol.
protocol StoreFile {
    var path: String { get }

    /// The suffixes that the kind adds to the name of the file, for files beside it.
    var companions: [String] { get }

    /// Throws if the file prevents a start: it cannot be reached, is of another kind, or is missing while its log exists.
    /// Nothing is written.
    func requireUsable() throws(StoreError)

    /// Whether a crash interrupted a change. The caller must share the store's lock.
    func isInterrupted() throws -> Bool

    /// Rolls back a change that a crash interrupted. The caller must hold the store's lock.
    func recover() throws

    /// Writes everything that is beside the file into it. The caller must hold the store's lock.
    func settle() throws

    /// Reads the store's metadata without writing anything. Returns `nil` if there is no store.
    ///
    /// - Parameter versions: the models that may fit a store of another program.
    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata?

    /// Copies the store. Once a file exists at `copy`, it is complete and on disk.
    ///
    /// - Returns: whether the copy was made. It is false if `progress` ended it by returning false.
    func copy(to copy: String, progress: (Double) -> Bool) throws -> Bool

    /// Reads the whole store and returns a description of each problem.
    func problems(model: ManagedObjectModel?) throws -> [String]

    /// Checks this file, which is a copy of a store, and copies it to `incoming`, which then replaces the store.
    func restore(to incoming: String) throws

    /// Returns a run that performs the plan. Nothing is written before `migrate` is called.
    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun
}

// A file that is always replaced as a whole has no files beside it, and is never half changed.
extension StoreFile {
    var companions: [String] { [] }

    func isInterrupted() throws -> Bool { false }

    func recover() throws {}

    func settle() throws {}
}
