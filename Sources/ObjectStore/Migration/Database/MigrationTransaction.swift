/// A migration of a store in a database server, as one transaction of the server.
///
/// Until `commit` returns, other programs see the old store. A transaction that ends in any other way, such as by the end
/// of this program, changes nothing.
package protocol MigrationTransaction: AnyObject {
    /// The store in messages.
    var place: String { get }

    /// Returns the store's description of itself, or `nil` if there is no store.
    func metadata() throws -> StoreMetadata?

    /// Begins the transaction. Until its end, no other program writes to the store or migrates it.
    ///
    /// The call waits for another program that migrates the store, as long as that takes.
    func begin() throws

    /// Returns the store with the model that it has. It is only read.
    func oldStore(_ model: ManagedObjectModel) throws -> any PersistentStore

    /// Makes an empty store, which has a place of its own until `finish`.
    func makeStore(_ model: ManagedObjectModel) throws -> any MigratedStore

    /// Puts the store that was made last in the place of the old one, and checks its references and unique values.
    ///
    /// - Throws: A `ValidationError` or a `StoreError` that names what the new model does not allow.
    func finish() throws

    /// Commits the transaction.
    func commit() throws

    /// Ends the connection. Without `commit`, nothing is changed.
    func close()
}

/// A store that a migration fills.
package protocol MigratedStore: PersistentStore {
    /// Ensures that no new object of the entity gets an ID up to `id`.
    func recordLargestID(_ id: Int64, of entity: Entity) throws
}
