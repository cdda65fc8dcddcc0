internal import ObjectStore

/// Decodes the body of a binary store after its checksum has been verified.
///
/// Lengths are checked nevertheless: a value that exceeds the rest of the body is reported as damage.
struct BinaryDecoder {
    private let reader: FileReader
    private var chunk: [UInt8] = []
    /// The number of bytes of `chunk` that have been decoded.
    private var position = 0
    /// The number of bytes of the body that have not been decoded yet.
    private(set) var rest: UInt64

    init(_ reader: FileReader, length: UInt64) {
        self.reader = reader
        rest = length
        reader.move(to: BinaryHeader.byteCount)
    }

    var damage: StoreError { BinaryHeader.damage(reader.path) }

    mutating func byte() throws(StoreError) -> UInt8 {
        if position == chunk.count { try readChunk() }
        guard rest > 0 else { throw damage }
        rest -= 1
        position += 1
        return chunk[position - 1]
    }

    private mutating func readChunk() throws(StoreError) {
        chunk = try reader.next()
        position = 0
        guard !chunk.isEmpty else { throw damage }
    }

    mutating func unsigned() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            guard (bits << shift) >> shift == bits else { throw damage }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw damage
    }

    /// Reads the number of elements that follow. Each of them has at least `size` bytes.
    mutating func count(size: UInt64 = 1) throws(StoreError) -> Int {
        let number = try unsigned()
        guard number <= rest / size else { throw damage }
        return Int(number)
    }

    mutating func signed() throws(StoreError) -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func fixed() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for position in 0..<8 { number |= UInt64(try byte()) << UInt64(8 * position) }
        return number
    }

    mutating func identifier() throws(StoreError) -> UUIDValue {
        let high = try fixed()
        return UUIDValue(high: high, low: try fixed())
    }

    mutating func bytes() throws(StoreError) -> [UInt8] {
        let count = try count()
        rest -= UInt64(count)
        var bytes: [UInt8] = []
        while bytes.count < count {
            if position == chunk.count { try readChunk() }
            let end = min(position + count - bytes.count, chunk.count)
            bytes.append(contentsOf: chunk[position..<end])
            position = end
        }
        return bytes
    }

    mutating func text() throws(StoreError) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw damage }
        return text
    }
}
