/// Bytes that are written one piece after the other, many of them a few bytes long.
///
/// The array has more room than was written, so that a piece goes to its place at once: to append to an array costs
/// several times as much as a few bytes do.
struct ByteBuffer {
    /// Room grows by no more than this beyond what is needed: bytes that nobody has touched take no memory.
    private static let stepBytes = 1 << 20

    private var room: [UInt8]
    /// How many bytes were written.
    private(set) var count = 0

    init(capacity: Int) {
        room = [UInt8](repeating: 0, count: capacity)
    }

    var bytes: [UInt8] { Array(room[..<count]) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        append(atMost: 1) { room in
            room[0] = byte
            return 1
        }
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(atMost: bytes.count) { room in
            _ = room.update(fromContentsOf: bytes)
            return bytes.count
        }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Has `body` write into room for so many bytes; it returns how many it has written.
    @inline(__always)
    mutating func append(atMost limit: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        if room.count - count < limit { grow(by: limit) }
        let start = count
        count += room.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[start..<start + limit])) }
    }

    private mutating func grow(by amount: Int) {
        let size = max(room.count + min(room.count, Self.stepBytes), count + amount, 64)
        room.append(contentsOf: repeatElement(0, count: size - room.count))
    }
}
