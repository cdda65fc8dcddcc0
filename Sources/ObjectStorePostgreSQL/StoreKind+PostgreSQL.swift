public import ObjectStore

extension StoreKind {
    /// A schema of a PostgreSQL database.
    ///
    /// The path of a configuration is a connection string of libpq or a URI, with the schema before it. See
    /// ``StoreConfiguration/postgresql(_:schema:readOnly:history:shared:lockTimeout:)``.
    public static let postgresql = StoreKind(
        "postgresql",
        making: { configuration, model, new in
            let place = StorePlace(path: try configuration.requirePath())
            guard !(configuration.isReadOnly && configuration.isShared) else {
                throw StoreError(
                    .misuse, "a store that is only read is not shared; leave out one of the options",
                    path: "the schema \(place.schema)")
            }
            let store = try PostgreSQLStore.open(
                place, model: model, isReadOnly: configuration.isReadOnly, isShared: configuration.isShared,
                making: new)
            if configuration.recordsHistory { try store.beginHistory() }
            return store
        }, migrating: { try PostgreSQLMigration($0) })
}

extension StoreConfiguration {
    /// Returns the configuration of a store in a PostgreSQL database.
    ///
    ///     StoreConfiguration.postgresql("service=todod", schema: "reminders")
    ///
    /// A missing schema is created, for which the role needs the right to create schemas in the database.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq, such as `service=todod` or `host=/run/postgresql dbname=home`, or a URI.
    ///     Passwords belong into `~/.pgpass`.
    ///   - schema: The schema of the store, without spaces. It has no other tables.
    ///   - readOnly: Whether the store is only read.
    ///   - history: Whether the store records each save in its history.
    ///   - shared: Whether other programs may have the store open for writing at the same time.
    ///   - lockTimeout: The time in seconds that a save waits for another program that writes to the store.
    public static func postgresql(
        _ connection: String, schema: String = "objectstore", readOnly: Bool = false,
        history: Bool = false, shared: Bool = false, lockTimeout: Double? = nil
    ) -> Self {
        Self(
            .postgresql, path: StorePlace.path(connection: connection, schema: schema), readOnly: readOnly,
            history: history, shared: shared, lockTimeout: lockTimeout)
    }
}
