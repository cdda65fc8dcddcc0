/// A part of the day, as in `in the evening`.
package enum PartOfDay: String, CaseIterable {
    case morning, afternoon, evening, night

    /// Creates the part of the day that a word in the singular or plural names: `every morning`, `mornings`.
    package init?(_ word: Substring) {
        self.init(rawValue: String(word.hasSuffix("s") ? word.dropLast() : word))
    }

    /// The time of day, in seconds, if no hour is named.
    var secondOfDay: Int {
        switch self {
        case .morning: 9 * 3_600
        case .afternoon: 15 * 3_600
        case .evening, .night: 20 * 3_600
        }
    }

    /// The hours that people count to this part of the day.
    ///
    /// The hours after midnight belong to the next day, so they are not included.
    var hours: Range<Int> {
        switch self {
        case .morning: 0..<12
        case .afternoon: 12..<19
        case .evening: 16..<24
        case .night: 18..<24
        }
    }
}
