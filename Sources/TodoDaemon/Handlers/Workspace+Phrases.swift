internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// Reading what a person typed.
extension Workspace {
    /// The moment that a text names in the zone of that name, or in ours; `PastDate` when it is past and may not be.
    func futureMoment(
        _ text: String, field: String, timeZone: String?, mayBePast: Bool = false, defaultTime: Int? = nil,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> Timestamp {
        try futureReading(
            text, field: field, timeZone: timeZone, mayBePast: mayBePast, defaultTime: defaultTime,
            purpose: purpose
        ).moment
    }

    func futureReading(
        _ text: String, field: String, timeZone: String?, mayBePast: Bool, defaultTime: Int? = nil,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> DatePhrase.Reading {
        let reading = try reading(
            text, field: field, in: zone(named: timeZone),
            defaultTime: defaultTime ?? configuration.defaultTime, purpose: purpose)
        // The current minute is not over: 'now' is a due time.
        let earliest =
            purpose == .due ? now() - now().secondsSince1970.truncatingRemainder(dividingBy: 60) : now()
        if reading.moment < earliest, !mayBePast {
            throw .pastDate(field: field, text: text, understood: reading.moment)
        }
        return reading
    }

    /// When the clock next shows this second of the day.
    func next(_ secondOfDay: Int, in zone: TimeZoneRules) throws(APIError) -> Timestamp {
        do {
            return try DatePhrase.next(secondOfDay, after: now(), zone: zone)
        } catch {
            throw .invalidDate(field: "due", text: "", reason: error.reason)
        }
    }

    /// `1d, 1h, 5m`, in seconds; none for an empty text.
    static func leads(_ text: String) throws(APIError) -> [Int32] {
        var leads: [Int32] = []
        if text.allSatisfy(\.isWhitespace) { return leads }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            leads.append(try lead(part))
        }
        guard leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "leads", reason: "an item has at most \(Item.leadsLimit)")
        }
        return leads
    }

    private static func lead(_ text: Substring) throws(APIError) -> Int32 {
        do throws(DatePhraseError) {
            let span = try TimeSpan(typed: text)
            if let seconds = Int32(exactly: span.seconds) { return seconds }
            throw DatePhraseError(reason: "'\(text.trimmed)' is too long, or has a fraction of a second")
        } catch {
            throw .invalidValue(
                field: "leads", reason: "\(error.reason); expected one such as 5min, or several with commas")
        }
    }

    static func priority(_ number: Int64) throws(APIError) -> Int16 {
        guard let priority = Int16(exactly: number), (0...9).contains(priority) else {
            throw .invalidValue(field: "priority", reason: "expected 1, the highest, to 9, or 0 for none")
        }
        return priority
    }
}
