/// A part of the day, as `in the evening` names it.
package enum PartOfDay: String, CaseIterable {
    case morning, afternoon, evening, night

    /// One or many: `every morning`, `mornings`.
    package init?(_ word: Substring) {
        self.init(rawValue: String(word.hasSuffix("s") ? word.dropLast() : word))
    }

    /// Its time if no hour is named.
    var secondOfDay: Int {
        switch self {
        case .morning: 9 * 3_600
        case .afternoon: 15 * 3_600
        case .evening, .night: 20 * 3_600
        }
    }

    /// The hours that people count to it. The hours after midnight belong to the next day, so they are left out.
    var hours: Range<Int> {
        switch self {
        case .morning: 0..<12
        case .afternoon: 12..<19
        case .evening: 16..<24
        case .night: 18..<24
        }
    }
}
