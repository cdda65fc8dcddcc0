internal import TodoAPI

/// A priority as it is typed: a number, or a word that stands for one as in iCalendar.
enum Priority {
    static var words: [String] { PriorityWords.numbers.map(\.key) }
    static let expected = "a number from 1, the highest, to 9, or high, medium, low or none"

    /// Nil when the text is neither; whether there is such a priority the daemon knows.
    static func number(_ text: String) -> Int64? {
        PriorityWords.number(text) ?? Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }
}
