internal import CPostgreSQL

/// The rows of an executed statement, in binary format.
package final class PostgreSQLResult {
    fileprivate let handle: OpaquePointer
    /// The number of rows.
    package let count: Int

    /// Takes over a result of libpq.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        count = Int(PQntuples(handle))
    }

    deinit {
        PQclear(handle)
    }

    /// The number of rows that an INSERT, UPDATE or DELETE changed.
    package var changedRows: Int {
        Int(String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// Returns the row at a position below `count`.
    package subscript(row: Int) -> PostgreSQLRow {
        PostgreSQLRow(result: self, row: Int32(truncatingIfNeeded: row))
    }

    /// The rows, in order.
    package var rows: some Sequence<PostgreSQLRow> { (0..<count).lazy.map { self[$0] } }
}

/// A row of a result.
package struct PostgreSQLRow {
    private let result: PostgreSQLResult
    private let row: Int32

    fileprivate init(result: PostgreSQLResult, row: Int32) {
        self.result = result
        self.row = row
    }

    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(result.handle, row, Int32(truncatingIfNeeded: column)) != 0
    }

    /// Returns the bytes of a value. They are valid as long as the result.
    @inline(__always)
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result.handle, row, column),
            count: Int(PQgetlength(result.handle, row, column)))
    }

    /// Returns an integer of 16, 32 or 64 bits, or 0 if the value is NULL.
    package func integer(_ column: Int) -> Int64 {
        let bytes = bytes(column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: return 0
        }
    }

    /// Returns a double, or 0 if the value is NULL.
    package func real(_ column: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(column)))
    }

    package func boolean(_ column: Int) -> Bool {
        bytes(column).first == 1
    }

    /// Returns the text of a value, or `nil` if it is NULL.
    package func text(_ column: Int) -> String? {
        isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
    }

    package func blob(_ column: Int) -> [UInt8] {
        Array(bytes(column))
    }

    /// Returns the first and the last eight bytes of a UUID, or `nil` if the value is NULL.
    package func uuid(_ column: Int) -> (high: UInt64, low: UInt64)? {
        let bytes = bytes(column)
        guard bytes.count == 16 else { return nil }
        return (
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// Returns the text of a decimal number, or `nil` if the value is NULL, infinite or not a number.
    package func numeric(_ column: Int) -> String? {
        isNull(column) ? nil : PostgreSQLNumeric.text(bytes(column))
    }
}
