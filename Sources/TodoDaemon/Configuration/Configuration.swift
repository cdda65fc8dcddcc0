internal import Alerts
internal import CivilTime
internal import ConfigurationFiles
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI
internal import TodoService

/// The settings of `todod.conf`. A new value has the built-in defaults.
struct Configuration: Hashable, Sendable {
    /// The settings that decide when alerts are sent.
    var alerts = AlertSettings()
    /// The hours of each day without alerts, or `nil` for none.
    var quietHours: QuietHours?
    /// The least urgent priority at which alerts are sent even in quiet periods, or `nil` for none.
    var breakThrough: Int16?
    /// The second of the day that is used for a date without a time.
    var defaultTime = 9 * 3_600
    /// The settings of the sinks.
    var delivery = DeliverySettings()
    /// The kind of store, which is always one with a file.
    var storeKind = StoreKind.sqlite
    /// The path of the store, or `nil` for the default place.
    var storePath: String?

    /// The prefix of the names of items that are muted when a store of version 1 is migrated, or `nil` for none.
    var mutePrefix: String?
    /// The number of old stores that are kept beside the current one when it is migrated.
    var backupCount = 3

    init() {}

    /// Every setting: its section and name, the text it expects, and the property it sets.
    static let settings: [Setting] = [
        Setting(
            section: "Alert", key: "LeadTime", expected: "time spans such as '5min, 0'", takesTimeSpans: true,
            sets: \.alerts.leads,
            parse: leadTimes),
        Setting(
            section: "Alert", key: "QuietTime", expected: "a time span such as 5min", takesTimeSpans: true,
            sets: \.alerts.quiet,
            parse: timeSpan),
        Setting(
            section: "Alert", key: "CatchUp", expected: "a time span such as 30d", takesTimeSpans: true,
            sets: \.alerts.catchUp,
            parse: timeSpan),
        Setting(
            section: "Alert", key: "Nag", expected: "a time span of at least 1min, or off",
            takesTimeSpans: true,
            sets: \.alerts.nag, isOff: orOff,
            parse: timeSpan(in: .minutes(1) ... .longest)),
        Setting(
            section: "Alert", key: "QuietHours",
            expected: "two times of day such as 22:00-07:00 or 9am-5pm, or off",
            sets: \.quietHours, isOff: orOff,
            parse: quietHours),
        Setting(
            section: "Alert", key: "BreakThrough",
            expected: "a priority from 1 to 9, high, medium or low, or off",
            sets: \.breakThrough, isOff: orOff
        ) { text in
            let number = PriorityWords.number(text) ?? Int64(text)
            return number.flatMap { (1...9).contains($0) ? Int16($0) : nil }
        },
        Setting(
            section: "Alert", key: "DefaultTime", expected: "a time of day such as 09:00 or 9am",
            sets: \.defaultTime, parse: timeOfDay),
        Setting(
            section: "Alert", key: "Desktop", expected: "yes or no", sets: \.delivery.showsOnDesktop,
            parse: yesOrNo),
        Setting(
            section: "Alert", key: "Command",
            expected:
                "an absolute path, or one that begins with ~/, and arguments as in a service file, or off",
            sets: \.delivery.command, isOff: orOff
        ) { AlertCommand($0) },
        Setting(
            section: "Alert", key: "CommandTimeout", expected: "a time span from 1s to 1d",
            takesTimeSpans: true,
            sets: \.delivery.commandTimeout,
            parse: timeSpan(in: .seconds(1) ... .days(1))),
        Setting(section: "Store", key: "Type", expected: "sqlite, xml or binary", sets: \.storeKind) { text in
            StoreKind.selectable(named: text)
        },
        Setting(
            section: "Store", key: "Path", expected: "an absolute path, or one that begins with ~/",
            sets: \.storePath
        ) { text in
            // The path would be that of another file, without the items.
            guard !text.hasTrailingComment, !text.hasInvisibleCharacter else { return nil }
            return text.hasPrefix("/") || text.hasPrefix("~/") ? .some(text) : nil
        },
        Setting(
            section: "Migration", key: "MutePrefix", expected: "the beginning of a name", sets: \.mutePrefix
        ) { .some($0) },
        Setting(
            section: "Migration", key: "Backups", expected: "a number from 0 to 1000", sets: \.backupCount
        ) { text in
            Int(text).flatMap { (0...1_000).contains($0) ? $0 : nil }
        },
    ]

    /// The names of all settings, in the order of the shipped file.
    static var settingNames: [String] { settings.map(\.key) }

    struct Setting: Sendable {
        let section: String
        let key: String
        /// The expected text, as it is used in an error message.
        let expected: String
        /// Whether the value has time spans, so that a number needs a unit.
        let takesTimeSpans: Bool
        /// Sets the property, or returns false if the text is not as expected. Throws an error if there is a better
        /// reason.
        let read: @Sendable (inout Configuration, String) throws(DatePhraseError) -> Bool
        let reset: @Sendable (inout Configuration) -> Void

        init<Value>(
            section: String, key: String, expected: String, takesTimeSpans: Bool = false,
            sets path: any WritableKeyPath<Configuration, Value> & Sendable,
            parse: @escaping @Sendable (String) throws(DatePhraseError) -> Value?
        ) {
            self.section = section
            self.key = key
            self.expected = expected
            self.takesTimeSpans = takesTimeSpans
            read = { (configuration, text) throws(DatePhraseError) in
                guard let value = try parse(text) else { return false }
                configuration[keyPath: path] = value
                return true
            }
            reset = { $0[keyPath: path] = Configuration()[keyPath: path] }
        }

        /// Creates a setting that can be turned off with a word.
        init<Value>(
            section: String, key: String, expected: String, takesTimeSpans: Bool = false,
            sets path: any WritableKeyPath<Configuration, Value?> & Sendable,
            isOff: @escaping @Sendable (String) -> Bool,
            parse: @escaping @Sendable (String) throws(DatePhraseError) -> Value?
        ) {
            self.init(
                section: section, key: key, expected: expected, takesTimeSpans: takesTimeSpans, sets: path
            ) {
                (text) throws(DatePhraseError) in
                isOff(text) ? .some(nil) : try parse(text).map { .some($0) }
            }
        }
    }

    @Sendable private static func orOff(_ text: String) -> Bool {
        ["off", "no", "none", "false"].contains(text.lowercased())
    }

    /// Parses a Boolean, in all spellings that systemd accepts.
    @Sendable private static func yesOrNo(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "y", "true", "t", "on", "1": true
        case "no", "n", "false", "f", "off", "0": false
        default: nil
        }
    }

    @Sendable private static func timeSpan(_ text: String) throws(DatePhraseError) -> TimeSpan? {
        do throws(DatePhraseError) {
            return try TimeSpan(typed: text)
        } catch {
            if error.isOfOtherWords { return nil }
            throw error
        }
    }

    private static func timeSpan(
        in range: ClosedRange<TimeSpan>
    ) -> @Sendable (String) throws(DatePhraseError) -> TimeSpan? {
        { (text) throws(DatePhraseError) in
            guard let span = try timeSpan(text), range.contains(span) else { return nil }
            return span
        }
    }

    /// Parses lead times, and returns them from the longest to the shortest.
    @Sendable private static func leadTimes(_ text: String) throws(DatePhraseError) -> [TimeSpan]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var leads: [TimeSpan] = []
        for part in parts {
            guard let lead = try timeSpan(String(part)) else { return nil }
            leads.append(lead)
        }
        guard leads.count <= Item.leadsLimit else { return nil }
        return Set(leads).sorted(by: >)
    }

    /// Parses `22:00`, or a time that `todoctl` accepts, such as `9am` or `noon`. A number alone is not a time of
    /// day.
    @Sendable private static func timeOfDay(_ text: String) -> Int? {
        var words = PhraseWords(text)
        guard let second = words.exactTimeOfDay() ?? (try? words.timeOfDay()), words.isEmpty else {
            return nil
        }
        return second
    }

    /// Parses hours as `--between` accepts them, such as `22:00-07:00` or `10pm to 7am`.
    @Sendable private static func quietHours(_ text: String) throws(DatePhraseError) -> QuietHours? {
        var words = PhraseWords(text)
        guard let hours = try words.hours(), words.isEmpty else { return nil }
        return QuietHours(start: hours.start, end: hours.end % CivilDateTime.secondsPerDay)
    }
}
