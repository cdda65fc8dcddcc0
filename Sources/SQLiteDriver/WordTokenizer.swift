internal import CSQLite

/// The tokenizer that divides texts into words for a full-text index: `unicode61` of FTS5.
///
/// A word is a sequence of letters and digits, in lower case and without accents. Everything else separates words. A
/// program that evaluates a search in memory finds the same words as an index, because both call the same code.
package final class WordTokenizer {
    /// The tokenizer in a `CREATE VIRTUAL TABLE` statement.
    package static let declaration = "unicode61 remove_diacritics 2"
    /// The greatest length of a word in UTF-8. FTS5 cuts longer words.
    private static let lengthLimit: Int32 = 32768

    // The functions of the tokenizer belong to this connection.
    private let connection: SQLiteConnection
    private var functions = fts5_tokenizer()
    private var tokenizer: OpaquePointer?

    /// Creates a tokenizer.
    ///
    /// - Throws: an error if SQLite was built without FTS5.
    package init() throws(SQLiteError) {
        connection = try SQLiteConnection(path: ":memory:", mode: .create)
        let api = try Self.api(of: connection)
        var context: UnsafeMutableRawPointer?
        var code = api.pointee.xFindTokenizer?(api, "unicode61", &context, &functions) ?? SQLITE_MISUSE
        guard code == SQLITE_OK else { throw connection.error(code, sql: Self.declaration) }
        code = "remove_diacritics".withCString { name in
            "2".withCString { value in
                var arguments: [UnsafePointer<CChar>?] = [name, value]
                return functions.xCreate?(context, &arguments, Int32(arguments.count), &tokenizer)
                    ?? SQLITE_MISUSE
            }
        }
        guard code == SQLITE_OK else { throw connection.error(code, sql: Self.declaration) }
    }

    deinit {
        if let tokenizer { functions.xDelete?(tokenizer) }
    }

    /// Returns the functions of FTS5, which a connection gives only through a statement.
    private static func api(of connection: SQLiteConnection) throws(SQLiteError) -> UnsafeMutablePointer<
        fts5_api
    > {
        let query = "SELECT fts5(?1)"
        let statement = try connection.prepare(query)
        let place = UnsafeMutablePointer<UnsafeMutablePointer<fts5_api>?>.allocate(capacity: 1)
        defer { place.deallocate() }
        place.initialize(to: nil)
        sqlite3_bind_pointer(statement.handle, 1, place, "fts5_api_ptr", nil)
        _ = try statement.step()
        guard let api = place.pointee else {
            throw SQLiteError(extendedCode: SQLITE_ERROR, message: "SQLite has no FTS5", sql: query)
        }
        return api
    }

    /// Returns the words of a text, in order.
    package func words(of text: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = []
        withUnsafeMutablePointer(to: &words) { words in
            text.withUnsafeBytes { text in
                _ = functions.xTokenize?(
                    tokenizer, words, FTS5_TOKENIZE_DOCUMENT,
                    text.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: text.count)
                ) { words, _, word, length, _, _ in
                    let count = Int(min(length, WordTokenizer.lengthLimit))
                    let word = UnsafeRawBufferPointer(start: word, count: count)
                    words?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(Array(word))
                    return SQLITE_OK
                }
            }
        }
        return words
    }
}
