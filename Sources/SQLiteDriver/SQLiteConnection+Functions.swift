internal import CSQLite

extension SQLiteConnection {
    /// A call of an SQL function written in Swift, with its arguments and the place for its result.
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

        /// Returns the text of an argument, or `nil` if it is NULL.
        package func text(_ index: Int) -> String? {
            guard let start = sqlite3_value_text(arguments?[index]) else { return nil }
            let count = Int(sqlite3_value_bytes(arguments?[index]))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        /// Calls `body` with the UTF-8 bytes of an argument, which are valid only during the call. Returns
        /// `nil` if the argument is NULL.
        package func withText<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result)
            rethrows -> Result?
        {
            guard let start = sqlite3_value_text(arguments?[index]) else { return nil }
            let count = Int(sqlite3_value_bytes(arguments?[index]))
            return try body(UnsafeBufferPointer(start: start, count: count))
        }

        /// Returns the bytes of an argument, or an empty array if it is NULL.
        package func blob(_ index: Int) -> [UInt8] {
            guard let start = sqlite3_value_blob(arguments?[index]) else { return [] }
            return Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments?[index]))))
        }

        /// Returns the value cached for a constant argument, or creates it with `make`.
        ///
        /// The value is cached while the statement runs with the same constant. If `make` returns `nil`,
        /// nothing is cached.
        package func kept<Value: AnyObject>(with index: Int32, _ make: () -> Value?) -> Value? {
            if let known = sqlite3_get_auxdata(context, index) {
                return Unmanaged<Value>.fromOpaque(known).takeUnretainedValue()
            }
            guard let value = make() else { return nil }
            // SQLite releases the value when the argument changes, or immediately if it cannot cache it.
            let box = Unmanaged<AnyObject>.passRetained(value).toOpaque()
            sqlite3_set_auxdata(context, index, box) { box in
                if let box { Unmanaged<AnyObject>.fromOpaque(box).release() }
            }
            return value
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
            text.withUTF8 { bytes in `return`(text: bytes) }
        }

        /// Returns a copy of UTF-8 bytes as text.
        package func `return`(text: UnsafeBufferPointer<UInt8>) {
            text.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_result_text64(
                    context, characters.baseAddress ?? SQLiteStatement.emptyText, UInt64(characters.count),
                    SQLiteStatement.copied, UInt8(SQLITE_UTF8))
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

        /// Ends the statement with an error that has this message.
        package func fail(_ message: String) {
            sqlite3_result_error(context, message, -1)
        }

        /// Ends the statement with an error, which becomes the `functionError` of the `SQLiteError`.
        ///
        /// - Parameter failure: the `functionFailure` of the connection.
        package func fail(_ error: any Error, _ failure: FunctionFailure) {
            failure.error = error
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    /// The error with which a function ended a statement, until the statement throws it.
    package final class FunctionFailure {
        var error: (any Error)?
    }

    /// Defines an SQL function that depends only on its arguments.
    ///
    /// Only statements of this connection can call it. SQLite rejects schemas that use it, because other
    /// programs could not read them.
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
        // SQLite also releases the body if it rejects the function.
        guard code == SQLITE_OK else { throw error(code, sql: name) }
    }

    /// Defines an SQL aggregate of one argument that depends only on its values.
    ///
    /// `make` creates the state of a group. `result` ends a group, including a group without rows.
    package func defineAggregate<State: AnyObject>(
        _ name: String, begin make: @escaping () -> State,
        add: @escaping (State, FunctionCall) -> Void, result: @escaping (State, FunctionCall) -> Void
    ) throws(SQLiteError) {
        let body = AggregateBody(
            begin: make, add: { add(unsafeDowncast($0, to: State.self), $1) },
            result: { result(unsafeDowncast($0, to: State.self), $1) })
        let box = Unmanaged.passRetained(body)
        let code = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, box.toOpaque(), nil,
            { context, _, arguments in
                guard let context, let body = AggregateBody.of(context) else { return }
                let call = FunctionCall(context: context, arguments: arguments)
                guard
                    let group = sqlite3_aggregate_context(
                        context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
                else { return }
                let slot = group.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
                let state = slot.pointee ?? Unmanaged.passRetained(body.begin()).toOpaque()
                slot.pointee = state
                body.add(Unmanaged<AnyObject>.fromOpaque(state).takeUnretainedValue(), call)
            },
            { context in
                guard let context, let body = AggregateBody.of(context) else { return }
                let call = FunctionCall(context: context, arguments: nil)
                let slot = sqlite3_aggregate_context(context, 0)?
                    .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
                let state = slot?.pointee.map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
                slot?.pointee = nil
                body.result(state ?? body.begin(), call)
            },
            { box in
                if let box { Unmanaged<AggregateBody>.fromOpaque(box).release() }
            })
        guard code == SQLITE_OK else { throw error(code, sql: name) }
    }
}

private final class AggregateBody {
    let begin: () -> AnyObject
    let add: (AnyObject, SQLiteConnection.FunctionCall) -> Void
    let result: (AnyObject, SQLiteConnection.FunctionCall) -> Void

    init(
        begin: @escaping () -> AnyObject, add: @escaping (AnyObject, SQLiteConnection.FunctionCall) -> Void,
        result: @escaping (AnyObject, SQLiteConnection.FunctionCall) -> Void
    ) {
        self.begin = begin
        self.add = add
        self.result = result
    }

    static func of(_ context: OpaquePointer) -> AggregateBody? {
        sqlite3_user_data(context).map { Unmanaged<AggregateBody>.fromOpaque($0).takeUnretainedValue() }
    }
}

private final class FunctionBody {
    let call: (SQLiteConnection.FunctionCall) -> Void

    init(call: @escaping (SQLiteConnection.FunctionCall) -> Void) {
        self.call = call
    }
}
