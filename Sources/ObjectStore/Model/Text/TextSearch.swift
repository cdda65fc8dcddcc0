import Glibc

extension UnsafeBufferPointer<UInt8> {
    // UTF-8 is self-synchronizing, so a match of bytes is also a match of characters.

    func hasPrefix(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        holds(part, at: 0)
    }

    func hasSuffix(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        holds(part, at: count - part.count)
    }

    func contains(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first, let start = baseAddress else { return part.isEmpty }
        var position = 0
        while count - position >= part.count {
            guard let found = memchr(start + position, Int32(first), count - position - part.count + 1) else {
                return false
            }
            position = UnsafeRawPointer(start).distance(to: found)
            if holds(part, at: position) { return true }
            position += 1
        }
        return false
    }

    /// Whether the bytes of `part` are at this position.
    func holds(_ part: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position >= 0, part.count <= count - position else { return false }
        guard let start = baseAddress, let wanted = part.baseAddress else { return true }
        return memcmp(start + position, wanted, part.count) == 0
    }

    /// Returns the number of bytes of the scalar at a position.
    func scalarLength(at position: Int) -> Int {
        let length =
            switch self[position] {
            case ..<0xC0: 1
            case ..<0xE0: 2
            case ..<0xF0: 3
            default: 4
            }
        return Swift.min(length, count - position)
    }
}
