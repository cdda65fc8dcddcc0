internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// Parsing of text that the user typed.
extension Workspace {
    /// The reading of a text in the zone of that name, or in the zone of the machine.
    ///
    /// - Throws: `PastDate` if the time is in the past and must not be.
    func futureReading(
        _ text: String, field: String, timeZone: String?, mayBePast: Bool, defaultTime: Int? = nil,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> DatePhrase.Reading {
        let reading = try reading(
            text, field: field, in: zone(named: timeZone),
            defaultTime: defaultTime ?? settings.defaultTime, purpose: purpose)
        // The current minute is not over, so 'now' is a due time.
        let earliest =
            purpose == .due ? now() - now().secondsSince1970.truncatingRemainder(dividingBy: 60) : now()
        if reading.moment < earliest, !mayBePast {
            throw .pastDate(field: field, text: text, understood: reading.moment)
        }
        return reading
    }

    /// Returns the next time at which the clock shows this second of the day.
    func next(_ secondOfDay: Int, in zone: TimeZoneRules) throws(APIError) -> Timestamp {
        do {
            return try DatePhrase.next(secondOfDay, after: now(), zone: zone)
        } catch {
            throw .invalidDate(field: "due", text: "", reason: error.reason)
        }
    }

    /// Parses `1d, 1h, 5m`, and returns the lead times in seconds. An empty text has none.
    static func leads(_ text: String) throws(APIError) -> [Int32] {
        var leads: [Int32] = []
        if text.allSatisfy(\.isWhitespace) { return leads }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(DatePhraseError) {
                leads.append(try lead(part.trimmed))
            } catch {
                throw .invalidValue(
                    field: "leads",
                    reason: "\(error.reason); try 5min, or several separated by commas")
            }
        }
        guard leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "leads", reason: "an item has at most \(Item.leadsLimit)")
        }
        return leads
    }

    /// A lead time in seconds.
    static func lead(_ text: some StringProtocol) throws(DatePhraseError) -> Int32 {
        if let seconds = Int32(exactly: try TimeSpan(typed: text).seconds) { return seconds }
        throw DatePhraseError(reason: "'\(text)' is too long, or has a fraction of a second")
    }

    static func priority(_ number: Int64) throws(APIError) -> Int16 {
        guard let priority = Int16(exactly: number), (0...9).contains(priority) else {
            throw .invalidValue(field: "priority", reason: "expected 1 (the highest) to 9, or 0 for none")
        }
        return priority
    }
}
