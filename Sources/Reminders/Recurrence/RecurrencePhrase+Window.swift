internal import Phrases

extension RecurrencePhrase {
    /// Takes hours of the day such as `9:00-18:00`, `from 9 to 18` or `between 22:00 and 6:00`.
    ///
    /// Returns `nil` if the next words name no hours of the day.
    mutating func window() throws(RecurrenceError) -> DayWindow? {
        var rest = PhraseWords(words)
        let hours: HoursPhrase?
        do {
            hours = try rest.hours()
        } catch {
            throw RecurrenceError(error, after: takenWords)
        }
        guard let hours else { return nil }
        words = rest.words
        return DayWindow(from: hours.start, to: hours.end)
    }
}
