package import CivilTime
package import ObjectStore

/// When alerts are held back: at the quiet hours of every day, and when a person says so.
///
/// What a person says goes before the quiet hours until the time they named, and outlives the daemon.
package struct DoNotDisturb: Hashable, Sendable {
    package var hours: QuietHours?
    /// What a person said last; it stands until its end.
    package private(set) var wish: Wish?
    /// The one before, whose time was over: it was not, should the clock have been ahead.
    private var endedWish: Wish?

    package struct Wish: Hashable, Sendable {
        package let isQuiet: Bool
        package let period: QuietPeriod
    }

    package init(hours: QuietHours? = nil) {
        self.hours = hours
    }

    /// The stretch of quiet that `now` lies in; nil when alerts may be given.
    package func period(at now: Timestamp, zone: TimeZoneRules) -> QuietPeriod? {
        if let wish, now < wish.period.until { return wish.isQuiet ? wish.period : nil }
        return hours?.period(at: now, zone: zone)
    }

    /// Holds alerts back from `now` to `end`.
    package mutating func begin(at now: Timestamp, until end: Timestamp) {
        // One who prolongs the quiet wants to hear at its end of all that was held.
        let since = wish.flatMap { $0.isQuiet && now < $0.period.until ? $0.period.since : nil } ?? now
        endedWish = nil
        wish = Wish(isQuiet: true, period: QuietPeriod(since: since, until: end))
    }

    /// Lets alerts through from `now` on; quiet hours that are running count no more.
    package mutating func end(at now: Timestamp, zone: TimeZoneRules) {
        endedWish = nil
        wish = hours?.period(at: now, zone: zone).map { Wish(isQuiet: false, period: $0) }
    }

    /// Forgets a wish whose time is over.
    package mutating func forgetEndedWish(at now: Timestamp) {
        guard let wish, now >= wish.period.until else { return }
        endedWish = wish
        self.wish = nil
    }

    /// Whether a wish was forgotten whose time is not over at a moment: the clock was ahead.
    package func hasEndedWish(after moment: Timestamp) -> Bool {
        wish == nil && endedWish.map { moment < $0.period.until } ?? false
    }

    /// The clock was set back to `now`: a wish whose time is not over after all stands.
    package mutating func takeBackEndedWish(at now: Timestamp) {
        guard wish == nil, let ended = endedWish, now < ended.period.until else { return }
        wish = ended
        endedWish = nil
    }

    // MARK: - In the store

    private static let metadataKey = "doNotDisturb"

    /// `quiet 1795194000.0 1795201200.0`, or `ended quiet …` for a wish whose time is over.
    private var text: String? {
        guard let wish else { return endedWish.map { "ended \($0.text)" } }
        return wish.text
    }

    /// Reads the wish that was current when the daemon was stopped, or the last one that was over by then.
    package mutating func read(from store: (any PersistentStore)?) {
        let words = store?.metadata.entries[Self.metadataKey]?.split(separator: " ") ?? []
        if words.first == "ended" {
            endedWish = Wish(words.dropFirst())
        } else {
            wish = Wish(words[...])
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

extension DoNotDisturb.Wish {
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
