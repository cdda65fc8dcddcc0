/// The bytes of an iCalendar text, whose lines may be folded inside of a character (RFC 5545, section 3.1).
enum FoldedBytes {
    /// Returns the text, and whether all of it is UTF-8. A fold inside a character is moved after it. Bytes that are not UTF-8
    /// become U+FFFD.
    static func text(_ bytes: [UInt8]) -> (text: String, isValid: Bool) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
        var moved: [UInt8] = []
        moved.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let count = length(ofCharacterBeginningWith: bytes[index])
            var character = [bytes[index]]
            var fold: [UInt8] = []
            index += 1
            while character.count < count, index < bytes.count {
                if bytes[index] & 0xC0 == 0x80 {
                    character.append(bytes[index])
                    index += 1
                } else if fold.isEmpty, let end = foldEnd(bytes, at: index) {
                    fold = Array(bytes[index..<end])
                    index = end
                } else {
                    break
                }
            }
            moved += character + fold
        }
        if let text = String(validating: moved, as: UTF8.self) { return (text, true) }
        return (String(decoding: moved, as: UTF8.self), false)
    }

    private static func length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Returns the position after a line end and the space that continues the line, or `nil` if there is no such fold.
    private static func foldEnd(_ bytes: [UInt8], at index: Int) -> Int? {
        var next = index
        if bytes[next] == 0x0D { next += 1 }
        guard next + 1 < bytes.count, bytes[next] == 0x0A, bytes[next + 1] == 0x20 || bytes[next + 1] == 0x09
        else { return nil }
        return next + 2
    }
}
