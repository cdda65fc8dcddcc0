internal import ObjectStore

/// Writes the body of a binary store and computes its length and checksum.
struct BinaryEncoder {
    private static let chunkSize = 64 << 10

    private let file: FileReplacement
    private var chunk: [UInt8] = []
    private(set) var length: UInt64 = 0
    private var checksum = CRC64()

    init(_ file: FileReplacement) {
        self.file = file
    }

    /// Writes the rest of the body and returns its header. Nothing can be appended afterwards.
    mutating func finish() throws(StoreError) -> BinaryHeader {
        try flush()
        return BinaryHeader(bodyLength: length, bodyChecksum: checksum.value)
    }

    /// Appends one byte unchanged.
    mutating func append(byte: UInt8) {
        chunk.append(byte)
    }

    /// Appends seven bits in each byte, the lowest bits first. All bytes but the last have the highest bit set.
    mutating func append(unsigned number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            chunk.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        chunk.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(count: Int) {
        append(unsigned: UInt64(count))
    }

    /// Appends the number as an unsigned one with the sign in the lowest bit, so that small negative numbers
    /// are short, too.
    mutating func append(signed number: Int64) {
        append(unsigned: UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Appends eight bytes, the lowest byte first.
    mutating func append(fixed number: UInt64) {
        for position in 0..<8 { chunk.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * position))) }
    }

    mutating func append(_ identifier: UUIDValue) {
        append(fixed: identifier.high)
        append(fixed: identifier.low)
    }

    /// Appends the length in bytes, then the text in UTF-8.
    mutating func append(_ text: String) throws(StoreError) {
        append(count: text.utf8.count)
        chunk.append(contentsOf: text.utf8)
        try flushWhenFull()
    }

    mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        append(count: bytes.count)
        chunk.append(contentsOf: bytes)
        try flushWhenFull()
    }

    mutating func flushWhenFull() throws(StoreError) {
        if chunk.count >= Self.chunkSize { try flush() }
    }

    private mutating func flush() throws(StoreError) {
        checksum.add(chunk[...])
        length += UInt64(chunk.count)
        try file.append(chunk)
        chunk.removeAll(keepingCapacity: true)
    }
}
