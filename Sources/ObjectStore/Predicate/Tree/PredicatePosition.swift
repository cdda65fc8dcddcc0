/// A position in an ordered relationship, as it is written after the relationship's key: `[0]`, `[FIRST]`, `[LAST]`.
package enum PredicatePosition: Hashable, Sendable {
    case index(Int)
    case last

    /// Reads a position, or returns `nil` if the key is none.
    init?(key: String) {
        guard key.utf8.first == UInt8(ascii: "["), key.utf8.last == UInt8(ascii: "]") else { return nil }
        switch key.dropFirst().dropLast() {
        case "FIRST": self = .index(0)
        case "LAST": self = .last
        case let digits:
            guard let index = Int(digits), index >= 0 else { return nil }
            self = .index(index)
        }
    }
}
