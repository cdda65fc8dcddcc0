internal import CivilTime

/// The day that a phrase names, before it is known which time of it is meant.
enum DayPhrase {
    case date(CivilDate)
    /// Where no time is named, the default one would be in the morning.
    case evening(CivilDate)
    case weekday(Weekday, mayBeToday: Bool)
    case yearly(month: Int, day: Int)

    /// What `tonight` means.
    static let evening = 20 * 3_600

    /// The part of the day that goes with it; nil for all of it.
    var partOfDay: PartOfDay? {
        if case .evening = self { .evening } else { nil }
    }
}
