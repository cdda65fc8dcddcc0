internal import ObjectStore
internal import PostgreSQLDriver

/// The last transaction of each program that writes to the store.
///
/// If the connection is lost during a COMMIT, the program finds out by this table whether the transaction is in the store. The
/// status of a transaction ID could be that of another transaction after a failover.
struct Commits {
    /// The days after which the row of a program that has not written is removed.
    private static let daysKept = 30

    /// The table, and the function that begins a transaction. It waits for a change of the tables, such as a migration, and
    /// returns the version of the model.
    static let definition = """
        CREATE TABLE "_commits" ("writer" bigint PRIMARY KEY, "number" bigint NOT NULL, \
        "time" timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE FUNCTION "_begin"(own bigint, next bigint) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(\(StoreSchema.lockClass), hashtext(current_schema()));
            INSERT INTO "_commits" ("writer", "number") VALUES (own, next) ON CONFLICT ("writer")
            DO UPDATE SET "number" = excluded."number", "time" = excluded."time";
            RETURN (SELECT "value" FROM "_metadata" WHERE "key" = '\(StoreSchema.hashKey)');
        END $$
        """

    let connection: PostgreSQLConnection
    /// The random number of this program.
    let writer: Int64

    /// Makes the row of this program, and removes those of programs that no longer run.
    ///
    /// A transaction that is in doubt locks the row, which would not work if the transaction inserted it.
    func register() throws(PostgreSQLError) {
        try connection.execute(
            """
            INSERT INTO "_commits" ("writer", "number") VALUES (\(writer), 0) ON CONFLICT DO NOTHING;
            DELETE FROM "_commits" WHERE "writer" <> \(writer) \
            AND "time" < clock_timestamp() - interval '\(Self.daysKept) days'
            """)
    }

    /// Begins a transaction of this program.
    ///
    /// - Returns: The version hash of the model of the store.
    func begin(_ number: Int64) throws(PostgreSQLError) -> String? {
        try connection.texts("BEGIN; SELECT \"_begin\"(\(writer), \(number))")[0].text(0)
    }

    /// Returns the number of the last transaction of this program that is in the store. Waits until a running one has ended.
    func number() throws(PostgreSQLError) -> Int64 {
        let found = try connection.query(
            "SELECT \"number\" FROM \"_commits\" WHERE \"writer\" = \(writer) FOR UPDATE")
        return found.count > 0 ? found[0].integer(0) : 0
    }
}
