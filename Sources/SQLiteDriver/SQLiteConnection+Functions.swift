internal import CSQLite

extension SQLiteConnection {
    /// What a function of SQL written in Swift works with: its arguments, and the place for its result.
    package struct FunctionCall {
        let context: OpaquePointer
        let arguments: UnsafeMutablePointer<OpaquePointer?>?

        package func kind(_ index: Int) -> ColumnKind {
            switch sqlite3_value_type(arguments?[index]) {
            case SQLITE_INTEGER: .integer
            case SQLITE_FLOAT: .real
            case SQLITE_TEXT: .text
            case SQLITE_BLOB: .blob
            default: .null
            }
        }

        package func integer(_ index: Int) -> Int64 {
            sqlite3_value_int64(arguments?[index])
        }

        package func real(_ index: Int) -> Double {
            sqlite3_value_double(arguments?[index])
        }

        /// The text of an argument; nil when it is NULL.
        package func text(_ index: Int) -> String? {
            guard let start = sqlite3_value_text(arguments?[index]) else { return nil }
            let count = Int(sqlite3_value_bytes(arguments?[index]))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        /// The bytes of an argument; empty when it is NULL.
        package func blob(_ index: Int) -> [UInt8] {
            guard let start = sqlite3_value_blob(arguments?[index]) else { return [] }
            return Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments?[index]))))
        }

        package func returnNull() {
            sqlite3_result_null(context)
        }

        package func `return`(_ value: Int64) {
            sqlite3_result_int64(context, value)
        }

        package func `return`(_ value: Double) {
            sqlite3_result_double(context, value)
        }

        package func `return`(_ text: String) {
            var text = text
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_result_text64(
                        context, characters.baseAddress ?? SQLiteStatement.emptyText,
                        UInt64(characters.count),
                        SQLiteStatement.copied, UInt8(SQLITE_UTF8))
                }
            }
        }

        package func `return`(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { raw in
                if let address = raw.baseAddress, !raw.isEmpty {
                    sqlite3_result_blob64(context, address, UInt64(raw.count), SQLiteStatement.copied)
                } else {
                    sqlite3_result_zeroblob(context, 0)
                }
            }
        }

        /// Ends the statement with an error of this message.
        package func fail(_ message: String) {
            sqlite3_result_error(context, message, -1)
        }
    }

    /// Gives SQL a function that depends on nothing but its arguments.
    ///
    /// It is for statements of this connection only: a schema that used it could not be read by others, and
    /// SQLite refuses to.
    package func defineFunction(
        _ name: String, arguments count: Int32, _ body: @escaping (FunctionCall) -> Void
    ) throws(SQLiteError) {
        let box = Unmanaged.passRetained(FunctionBody(call: body))
        let code = sqlite3_create_function_v2(
            handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, box.toOpaque(),
            { context, _, arguments in
                guard let context, let box = sqlite3_user_data(context) else { return }
                let body = Unmanaged<FunctionBody>.fromOpaque(box).takeUnretainedValue()
                body.call(FunctionCall(context: context, arguments: arguments))
            },
            nil, nil,
            { box in
                if let box { Unmanaged<FunctionBody>.fromOpaque(box).release() }
            })
        // SQLite releases the body itself, also when it refuses the function.
        guard code == SQLITE_OK else { throw error(code, sql: name) }
    }
}

private final class FunctionBody {
    let call: (SQLiteConnection.FunctionCall) -> Void

    init(call: @escaping (SQLiteConnection.FunctionCall) -> Void) {
        self.call = call
    }
}
