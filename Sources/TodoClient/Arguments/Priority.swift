internal import Phrases
internal import TodoAPI

/// A priority as the user types it: a number, or a word that has a number in iCalendar.
enum Priority {
    static var words: [String] { PriorityWords.numbers.map(\.key) }
    static let expected = "a number from 1 (the highest) to 9, or high, medium, low or none"

    static let expectedInFilter = "high, medium, low, none, a number from 0 to 9, or a range such as 1-4"

    /// Returns the priorities that a filter such as `1-3,none` selects, or `nil` if the text is not valid.
    ///
    /// As in iCalendar, `high` is 1 to 4 and `low` is 6 to 9.
    static func numbers(_ text: String) -> [Int64]? {
        var chosen: Set<Int64> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = range(part.lowercased()), range.lowerBound >= 0, range.upperBound <= 9 else {
                return nil
            }
            chosen.formUnion(range)
        }
        return chosen.sorted()
    }

    private static func range(_ text: String) -> ClosedRange<Int64>? {
        switch text {
        case "high": return 1...4
        case "low": return 6...9
        default: break
        }
        if let one = number(text) { return one...one }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        return first...last
    }

    /// Returns the priority that a number, a word, or `p1` or `!1` names, or `nil` if the text is none of these.
    ///
    /// The daemon checks that there is such a priority.
    static func number(_ text: String) -> Int64? {
        if let option = NameOption(text), option.isOnlyAtEnd { return Int64(option.value) }
        return PriorityWords.number(text) ?? Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }
}
