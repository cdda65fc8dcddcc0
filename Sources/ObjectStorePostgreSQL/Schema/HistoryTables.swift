internal import CivilTime
internal import ObjectStore
internal import PostgreSQLDriver

/// The tables of the history: a row for each save, one for each run of objects with consecutive IDs and the same change, and
/// the values that deleted objects leave.
///
/// The number of a save is made of the ID of its transaction in the database, and its position in this transaction. A reader
/// reads the saves of transactions that are older than all running ones. So it skips no save, although transactions end in
/// another order than that of their IDs.
struct HistoryTables {
    /// The number of bits for the position in a transaction.
    static let positionBits = 16

    let connection: PostgreSQLConnection

    /// Whether the store records its history.
    func exist() throws(PostgreSQLError) -> Bool {
        // Not `to_regclass`, which may answer from the cache of the session after another program has created the table.
        try connection.query(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_tables \
            WHERE schemaname = pg_catalog.current_schema() AND tablename = '_transactions')
            """)[0].boolean(0)
    }

    /// Creates the tables in the open transaction. The save 0 is the beginning of the history.
    func make(writer: Int64) throws(PostgreSQLError) {
        try connection.execute(
            """
            CREATE TABLE "_transactions" ("number" bigint PRIMARY KEY, "time" double precision NOT NULL, \
            "writer" bigint NOT NULL, "author" text COLLATE "C", "context" text COLLATE "C", "model" text COLLATE "C");
            CREATE TABLE "_changes" ("number" bigint NOT NULL, "position" bigint NOT NULL, \
            "kind" text COLLATE "C" NOT NULL, "entity" text COLLATE "C" NOT NULL, "first" bigint NOT NULL, \
            "last" bigint NOT NULL, "properties" text COLLATE "C", PRIMARY KEY ("number", "position"));
            CREATE INDEX "_changes of objects" ON "_changes" ("entity", "last", "first");
            CREATE TABLE "_preserved" ("number" bigint NOT NULL, "position" bigint NOT NULL, \
            "property" text COLLATE "C" NOT NULL, "type" text COLLATE "C" NOT NULL, "integer" bigint, \
            "double" double precision, "text" text COLLATE "C", "bytes" bytea, \
            PRIMARY KEY ("number", "position", "property"));
            CREATE TABLE "_history" ("transactionOffset" bigint NOT NULL, "purged" bigint NOT NULL);
            INSERT INTO "_history" VALUES (0, -1)
            """)
        var parameters = PostgreSQLParameters()
        parameters.append(writer)
        _ = try connection.query(
            "INSERT INTO \"_transactions\" (\"number\", \"time\", \"writer\") VALUES (0, 0, $1)", parameters)
    }

    /// Removes the tables in the open transaction.
    func remove() throws(PostgreSQLError) {
        try connection.execute("DROP TABLE \"_preserved\", \"_changes\", \"_transactions\", \"_history\"")
    }

    /// Makes the numbers of new saves larger than all numbers of the history, and than that of a save which the server may have
    /// lost. A copy of the database on another server begins with small transaction IDs again.
    func continueNumbers(after lost: Int64) throws(PostgreSQLError) {
        try connection.execute(
            """
            UPDATE "_history" SET "transactionOffset" = n.new FROM \
            (SELECT (greatest(max("number"), \(lost)) >> \(Self.positionBits)) + 1 \
            - pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS new FROM "_transactions") AS n \
            WHERE n.new > "transactionOffset"
            """)
    }

    /// Records a migration in the open transaction.
    func recordMigration(to model: ManagedObjectModel) throws(PostgreSQLError) {
        var parameters = PostgreSQLParameters()
        parameters.append(Timestamp.now.secondsSince1970)
        parameters.append(Int64.random(in: .min ... .max))
        try parameters.append(model.versionHash)
        _ = try connection.query(
            "INSERT INTO \"_transactions\" (\"number\", \"time\", \"writer\", \"model\") "
                + "VALUES (\(Self.current) + 1, $1, $2, $3)", parameters)
    }

    /// The number of the first save that a reader does not read yet, in SQL.
    static let end =
        "((pg_snapshot_xmin(pg_current_snapshot())::text::bigint "
        + "+ (SELECT \"transactionOffset\" FROM \"_history\")) << \(positionBits))"

    /// The number of the first save of the running transaction, in SQL.
    static let current =
        "((pg_current_xact_id()::text::bigint "
        + "+ (SELECT \"transactionOffset\" FROM \"_history\")) << \(positionBits))"
}
