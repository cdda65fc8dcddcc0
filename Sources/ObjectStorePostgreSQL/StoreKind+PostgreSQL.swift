public import ObjectStore

extension StoreKind {
    /// A schema of a PostgreSQL database.
    ///
    /// The path of a configuration is a connection string of libpq or a URI, with the schema before it. See
    /// ``StoreConfiguration/postgresql(_:schema:readOnly:lockTimeout:)``.
    public static let postgresql = StoreKind(
        "postgresql",
        making: { configuration, model, new in
            try configuration.refuseHistory()
            return try PostgreSQLStore(
                StorePlace(path: configuration.requirePath()), model: model,
                isReadOnly: configuration.isReadOnly, making: new)
        })
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
    ///   - lockTimeout: The time in seconds that a save waits for another program that writes to the store.
    public static func postgresql(
        _ connection: String, schema: String = "objectstore", readOnly: Bool = false,
        lockTimeout: Double? = nil
    ) -> Self {
        Self(
            .postgresql, path: StorePlace.path(connection: connection, schema: schema), readOnly: readOnly,
            lockTimeout: lockTimeout)
    }
}
