/// The words for priorities, with their numbers in iCalendar.
package enum PriorityWords {
    package static let numbers: KeyValuePairs<String, Int64> = ["high": 1, "medium": 5, "low": 9, "none": 0]

    /// Returns the priority for a word, or `nil` if the word is unknown.
    package static func number(_ word: String) -> Int64? {
        numbers.first { $0.key == word.lowercased() }?.value
    }
}
