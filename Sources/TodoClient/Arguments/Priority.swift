/// A priority as it is typed: a number, or a word that stands for one as in iCalendar.
enum Priority {
    private static let numbers: KeyValuePairs<String, Int64> = ["high": 1, "medium": 5, "low": 9, "none": 0]

    static var words: [String] { numbers.map(\.key) }
    static let expected = "a number from 1, the highest, to 9, or high, medium, low or none"

    /// Nil when the text is neither; whether there is such a priority the daemon knows.
    static func number(_ text: String) -> Int64? {
        if let known = numbers.first(where: { $0.key == text.lowercased() }) { return known.value }
        return Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }
}
