/// A buffer for bytes that are appended in many small chunks.
///
/// It owns its memory exclusively. An array may be shared, so appending a few bytes to it takes several times
/// as long.
struct ByteBuffer: ~Copyable {
    private static let leastBytes = 64
    /// The maximum capacity added beyond the required capacity. Untouched bytes use no physical memory.
    private static let stepBytes = 1 << 20

    private var room: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0

    init(capacity: Int) {
        room = .allocate(capacity: max(capacity, Self.leastBytes))
    }

    deinit { room.deallocate() }

    var bytes: [UInt8] { Array(UnsafeBufferPointer(rebasing: room[..<count])) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == room.count { grow(by: 1) }
        room[count] = byte
        count += 1
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

    /// Calls `body` with space for up to `limit` bytes. `body` returns the number of bytes it has written.
    @inline(__always)
    mutating func append(atMost limit: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        if room.count - count < limit { grow(by: limit) }
        count += body(UnsafeMutableBufferPointer(rebasing: room[count..<count + limit]))
    }

    private mutating func grow(by amount: Int) {
        let size = max(room.count + min(room.count, Self.stepBytes), count + amount)
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        _ = larger.update(fromContentsOf: room[..<count])
        room.deallocate()
        room = larger
    }
}
