/// The words that people type for a priority, as in iCalendar.
package enum PriorityWords {
    package static let numbers: KeyValuePairs<String, Int64> = ["high": 1, "medium": 5, "low": 9, "none": 0]

    /// The priority that a word means, or `nil` if it means none.
    package static func number(_ word: String) -> Int64? {
        numbers.first { $0.key == word.lowercased() }?.value
    }
}
