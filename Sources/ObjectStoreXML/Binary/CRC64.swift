/// The cyclic redundancy check CRC-64/XZ. It detects every flipped bit and every damaged run of up to 64 bits.
struct CRC64 {
    private static let polynomial: UInt64 = 0xC96C_5795_D787_0F42

    /// The change of the remainder for every value of each of eight bytes, so that eight bytes are processed at once.
    private static let tables: [UInt64] = {
        var tables = [UInt64](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt64(byte)
            for _ in 0..<8 {
                remainder = remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ polynomial
            }
            tables[byte] = remainder
        }
        for position in 256..<8 * 256 {
            let before = tables[position - 256]
            tables[position] = tables[Int(before & 0xFF)] ^ before >> 8
        }
        return tables
    }()

    private var remainder = UInt64.max

    var value: UInt64 { ~remainder }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var remainder = remainder
        Self.tables.withUnsafeBufferPointer { tables in
            bytes.withUnsafeBytes { bytes in
                var position = 0
                while position + 8 <= bytes.count {
                    remainder ^= UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                    var next: UInt64 = 0
                    for lane in 0..<8 {
                        let byte = Int(truncatingIfNeeded: remainder >> UInt64(8 * lane) & 0xFF)
                        next ^= tables[(7 - lane) * 256 + byte]
                    }
                    remainder = next
                    position += 8
                }
                while position < bytes.count {
                    let byte = Int(truncatingIfNeeded: (remainder ^ UInt64(bytes[position])) & 0xFF)
                    remainder = tables[byte] ^ remainder >> 8
                    position += 1
                }
            }
        }
        self.remainder = remainder
    }
}
