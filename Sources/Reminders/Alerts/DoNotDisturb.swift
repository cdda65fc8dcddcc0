package import CivilTime
package import ObjectStore

/// The times at which alerts are delayed: the quiet hours of each day and the periods that the user sets.
///
/// A period that the user sets overrides the quiet hours until its end. It is saved in the store.
package struct DoNotDisturb: Hashable, Sendable {
    package var hours: QuietHours?
    /// The period that the user set last, which applies until its end.
    package private(set) var request: Request?
    /// The period that the user set last, if it has ended.
    ///
    /// It applies again if the clock is set back to a time before its end.
    private var endedRequest: Request?

    package struct Request: Hashable, Sendable {
        package let isQuiet: Bool
        package let period: QuietPeriod
    }

    package init(hours: QuietHours? = nil) {
        self.hours = hours
    }

    /// Returns the quiet period that contains `now`, or `nil` if alerts may be sent.
    package func period(at now: Timestamp, zone: TimeZoneRules) -> QuietPeriod? {
        if let request, now < request.period.until { return request.isQuiet ? request.period : nil }
        return hours?.period(at: now, zone: zone)
    }

    /// Starts a quiet period from `now` to `end`.
    package mutating func begin(at now: Timestamp, until end: Timestamp) {
        // If a quiet period is extended, it keeps its start. Alerts for the whole of it are then sent at its end.
        let since = request.flatMap { $0.isQuiet && now < $0.period.until ? $0.period.since : nil } ?? now
        endedRequest = nil
        request = Request(isQuiet: true, period: QuietPeriod(since: since, until: end))
    }

    /// Allows alerts from `now` on, even during the rest of the current quiet hours.
    package mutating func end(at now: Timestamp, zone: TimeZoneRules) {
        endedRequest = nil
        request = hours?.period(at: now, zone: zone).map { Request(isQuiet: false, period: $0) }
    }

    /// Ends a period that the user set if its end has passed.
    package mutating func endPastRequest(at now: Timestamp) {
        guard let request, now >= request.period.until else { return }
        endedRequest = request
        self.request = nil
    }

    /// Whether a period was ended although `moment` is before its end.
    ///
    /// The clock was wrong then.
    package func hasEndedRequest(after moment: Timestamp) -> Bool {
        request == nil && endedRequest.map { moment < $0.period.until } ?? false
    }

    /// Applies a period that has ended again if the clock was set back to `now`, before its end.
    package mutating func restoreEndedRequest(at now: Timestamp) {
        guard request == nil, let ended = endedRequest, now < ended.period.until else { return }
        request = ended
        endedRequest = nil
    }

    // MARK: - In the store

    private static let metadataKey = "doNotDisturb"

    /// The metadata text: `quiet 1795194000.0 1795201200.0`, or `ended quiet …` for a period that has ended.
    private var text: String? {
        guard let request else { return endedRequest.map { "ended \($0.text)" } }
        return request.text
    }

    /// Reads the period that was saved last, and whether it had ended by then.
    package mutating func read(from store: (any PersistentStore)?) {
        let words = store?.metadata.entries[Self.metadataKey]?.split(separator: " ") ?? []
        if words.first == "ended" {
            endedRequest = Request(words.dropFirst())
        } else {
            request = Request(words[...])
        }
    }

    package func write(to store: (any PersistentStore)?) throws {
        guard let store else { return }
        var entries = store.metadata.entries
        guard entries[Self.metadataKey] != text else { return }
        entries[Self.metadataKey] = text
        try store.setMetadataEntries(entries)
    }
}

extension DoNotDisturb.Request {
    fileprivate var text: String {
        "\(isQuiet ? "quiet" : "loud") \(period.since.secondsSince1970) \(period.until.secondsSince1970)"
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
        let words = Array(words)
        guard words.count == 3, let since = Double(words[1]), let until = Double(words[2]) else { return nil }
        isQuiet = words[0] == "quiet"
        period = QuietPeriod(
            since: Timestamp(secondsSince1970: since), until: Timestamp(secondsSince1970: until))
    }
}
