internal import ObjectStore

/// The first 40 bytes of a binary store: its format, the length of its body, and the checksums.
///
///     8  "\u{8F}OBST\r\n\u{1A}"   not text, and changed by any conversion of line ends
///     4  the version of the format
///     4  zero
///     8  the length of the body in bytes
///     8  the CRC-64 of the body
///     8  the CRC-64 of the preceding 32 bytes
///
/// Numbers are little-endian.
struct BinaryHeader {
    static let byteCount = 40
    static let magic: [UInt8] = [0x8F, 0x4F, 0x42, 0x53, 0x54, 0x0D, 0x0A, 0x1A]
    /// The version of the layout that this library writes. A later layout has a larger number.
    static let formatVersion: UInt32 = 1

    let version: UInt32
    let bodyLength: UInt64
    let bodyChecksum: UInt64

    init(bodyLength: UInt64, bodyChecksum: UInt64) {
        version = Self.formatVersion
        self.bodyLength = bodyLength
        self.bodyChecksum = bodyChecksum
    }

    /// Reads the header from the first bytes of a file.
    ///
    /// - Throws: a `StoreError` if the file is not a binary store, if the header is damaged, or if a newer
    ///   version wrote it.
    init(_ bytes: ArraySlice<UInt8>, path: String) throws(StoreError) {
        guard bytes.starts(with: Self.magic) else {
            throw StoreError(
                .notADatabase, "the file is not a binary store; choose another path", path: path)
        }
        guard bytes.count >= Self.byteCount else { throw Self.damage(path) }
        let header = bytes.prefix(Self.byteCount)
        let start = header.startIndex
        var checksum = CRC64()
        checksum.add(header.prefix(32))
        guard checksum.value == Self.number(header[(start + 32)...]) else { throw Self.damage(path) }
        version = UInt32(truncatingIfNeeded: Self.number(header[(start + 8)..<(start + 12)]))
        bodyLength = Self.number(header[(start + 16)..<(start + 24)])
        bodyChecksum = Self.number(header[(start + 24)..<(start + 32)])
        guard version <= Self.formatVersion else {
            throw StoreError(
                .newer, "the store was written by a newer version; install that version again to open it",
                path: path)
        }
    }

    var bytes: [UInt8] {
        var bytes = Self.magic
        Self.append(UInt64(version), count: 8, to: &bytes)
        Self.append(bodyLength, count: 8, to: &bytes)
        Self.append(bodyChecksum, count: 8, to: &bytes)
        var checksum = CRC64()
        checksum.add(bytes[...])
        Self.append(checksum.value, count: 8, to: &bytes)
        return bytes
    }

    static func damage(_ path: String) -> StoreError {
        StoreError(
            .damaged, "the store is damaged; stop, keep a copy, and", restoring: "a backup", path: path)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for position in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * position))) }
    }
}
