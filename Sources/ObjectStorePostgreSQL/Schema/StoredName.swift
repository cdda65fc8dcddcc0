internal import ObjectStore
internal import PostgreSQLDriver

/// The names of tables, columns and constraints in the database.
///
/// A name of the model is used unchanged, so that `psql` shows it, unless PostgreSQL would cut it or reserves it. Then it
/// gets a hash, which keeps it different from all others.
enum StoredName {
    /// The columns that every table of PostgreSQL has already.
    private static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
    private static let hashDigits = 16

    /// Returns the name in the database for a name that may be too long or reserved.
    static func name(of wanted: String) -> String {
        guard wanted.utf8.count > PostgreSQLName.bytesLimit || systemColumns.contains(wanted.lowercased())
        else { return wanted }
        let limit = PostgreSQLName.bytesLimit - hashDigits - 1
        var beginning = ""
        for character in wanted where beginning.utf8.count + character.utf8.count <= limit {
            beginning.append(character)
        }
        return beginning + "~" + SHA256.hexadecimal(of: wanted).prefix(hashDigits)
    }

    /// Returns the quoted name in the database.
    static func quoted(_ wanted: String) throws(PostgreSQLError) -> String {
        try PostgreSQLName.quoted(name(of: wanted))
    }
}
