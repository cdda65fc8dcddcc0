internal import SQLiteDriver

/// The functions that predicates need and SQLite does not have. They are never part of a schema.
enum SQLFunctions {
    static func define(on connection: SQLiteConnection) throws {
        // folded(text, options): what is left of a text when the options overlook the rest.
        try connection.defineFunction("folded", arguments: 2) { call in
            guard let text = call.text(0) else { return call.returnNull() }
            call.return(text.lowercased())
        }
    }
}
