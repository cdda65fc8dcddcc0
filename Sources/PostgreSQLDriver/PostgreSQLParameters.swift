/// The parameters of one execution, in binary format in one buffer. It can be emptied and filled again without allocations.
package struct PostgreSQLParameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    /// The lengths of the values, or -1 for NULL.
    private var lengths: [Int32] = []
    package private(set) var types: [PostgreSQLType] = []

    package init() {}

    package var count: Int { offsets.count }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
    }

    package mutating func appendNull(_ type: PostgreSQLType) {
        offsets.append(bytes.count)
        lengths.append(-1)
        types.append(type)
    }

    package mutating func append(_ number: Int64) {
        begin(.integer)
        BinaryForm.append(number, to: &bytes)
        end()
    }

    package mutating func append(_ number: Double) {
        begin(.double)
        BinaryForm.append(number.bitPattern, to: &bytes)
        end()
    }

    package mutating func append(_ flag: Bool) {
        begin(.boolean)
        bytes.append(flag ? 1 : 0)
        end()
    }

    /// Appends a text.
    ///
    /// - Throws: An error if it contains U+0000, which PostgreSQL cannot store.
    package mutating func append(_ text: String) throws(PostgreSQLError) {
        begin(.text)
        try BinaryForm.append(text, to: &bytes)
        end()
    }

    package mutating func append(_ value: [UInt8]) {
        begin(.bytes)
        bytes.append(contentsOf: value)
        end()
    }

    /// Appends a UUID as its first and its last eight bytes.
    package mutating func append(uuid: (high: UInt64, low: UInt64)) {
        begin(.uuid)
        BinaryForm.append(uuid.high, to: &bytes)
        BinaryForm.append(uuid.low, to: &bytes)
        end()
    }

    package mutating func append(numeric text: String) throws(PostgreSQLError) {
        begin(.numeric)
        try PostgreSQLNumeric.append(text, to: &bytes)
        end()
    }

    package mutating func append(_ array: PostgreSQLArray) {
        begin(.array(array.element))
        array.append(to: &bytes)
        end()
    }

    private mutating func begin(_ type: PostgreSQLType) {
        offsets.append(bytes.count)
        types.append(type)
    }

    private mutating func end() {
        lengths.append(Int32(bytes.count - (offsets.last ?? 0)))
    }

    /// Calls `body` with the arrays that libpq takes: the addresses of the values, their lengths and their formats.
    func withPointers<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        guard !offsets.isEmpty else { return body(nil, nil, nil) }
        // An empty text needs an address too, because libpq takes no address for NULL.
        let buffer = bytes.isEmpty ? [0] : bytes
        return buffer.withUnsafeBytes { memory in
            let start = memory.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }
            return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
                    for position in offsets.indices {
                        let isNull = lengths[position] < 0
                        values.initializeElement(
                            at: position, to: isNull ? nil : start.map { $0 + offsets[position] })
                        formats.initializeElement(at: position, to: 1)
                    }
                    return body(
                        UnsafePointer(values.baseAddress), lengths, UnsafePointer(formats.baseAddress))
                }
            }
        }
    }
}

/// A list of values that is one parameter of a statement.
package struct PostgreSQLArray {
    package let element: PostgreSQLType
    package private(set) var count = 0
    private var bytes: [UInt8] = []

    package init(of element: PostgreSQLType) {
        self.element = element
    }

    package mutating func appendNull() {
        BinaryForm.append(Int32(-1), to: &bytes)
        count += 1
    }

    package mutating func append(_ number: Int64) {
        BinaryForm.append(Int32(8), to: &bytes)
        BinaryForm.append(number, to: &bytes)
        count += 1
    }

    package mutating func append(_ number: Double) {
        BinaryForm.append(Int32(8), to: &bytes)
        BinaryForm.append(number.bitPattern, to: &bytes)
        count += 1
    }

    package mutating func append(_ flag: Bool) {
        BinaryForm.append(Int32(1), to: &bytes)
        bytes.append(flag ? 1 : 0)
        count += 1
    }

    package mutating func append(_ text: String) throws(PostgreSQLError) {
        BinaryForm.append(Int32(truncatingIfNeeded: text.utf8.count), to: &bytes)
        try BinaryForm.append(text, to: &bytes)
        count += 1
    }

    package mutating func append(_ value: [UInt8]) {
        BinaryForm.append(Int32(truncatingIfNeeded: value.count), to: &bytes)
        bytes.append(contentsOf: value)
        count += 1
    }

    package mutating func append(uuid: (high: UInt64, low: UInt64)) {
        BinaryForm.append(Int32(16), to: &bytes)
        BinaryForm.append(uuid.high, to: &bytes)
        BinaryForm.append(uuid.low, to: &bytes)
        count += 1
    }

    package mutating func append(numeric text: String) throws(PostgreSQLError) {
        var number: [UInt8] = []
        try PostgreSQLNumeric.append(text, to: &number)
        append(number)
    }

    /// Appends the binary form of the array: the number of dimensions, whether NULL occurs, the type, the length, the first
    /// index, and the elements.
    func append(to target: inout [UInt8]) {
        BinaryForm.append(Int32(1), to: &target)
        BinaryForm.append(Int32(1), to: &target)
        BinaryForm.append(element.oid, to: &target)
        BinaryForm.append(Int32(truncatingIfNeeded: count), to: &target)
        BinaryForm.append(Int32(1), to: &target)
        target.append(contentsOf: bytes)
    }
}

/// Values in network byte order, as the server reads them.
enum BinaryForm {
    @inline(__always)
    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    static func append(_ text: String, to bytes: inout [UInt8]) throws(PostgreSQLError) {
        guard !text.utf8.contains(0) else {
            throw PostgreSQLError(
                .invalidValue, "a text contains U+0000, which PostgreSQL cannot store; remove it")
        }
        bytes.append(contentsOf: text.utf8)
    }
}
