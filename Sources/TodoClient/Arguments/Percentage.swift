/// A part of the whole as the user types it: `60` or `60%`.
enum Percentage {
    static let expected = "a number from 0 to 100"

    /// Returns the number, or `nil` if the text is not one from 0 to 100.
    static func number(_ text: String) -> Int64? {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        return Int64(digits).flatMap { (0...100).contains($0) ? $0 : nil }
    }
}
