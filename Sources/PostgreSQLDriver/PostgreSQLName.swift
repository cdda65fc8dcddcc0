/// Names of schemas, tables, columns and constraints.
package enum PostgreSQLName {
    /// The most bytes that PostgreSQL keeps of a name. It cuts longer names with a notice only, so two of them could become
    /// equal.
    package static let bytesLimit = 63

    /// Returns the quoted name, such as `"dueDate"`.
    ///
    /// - Throws: An error if the name is empty, too long or contains U+0000.
    package static func quoted(_ name: String) throws(PostgreSQLError) -> String {
        guard name.utf8.count <= bytesLimit else {
            throw PostgreSQLError(
                .longName, "the name \(name) has more than \(bytesLimit) bytes; choose a shorter one")
        }
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw PostgreSQLError(.longName, "a name is empty or contains U+0000; choose another one")
        }
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
