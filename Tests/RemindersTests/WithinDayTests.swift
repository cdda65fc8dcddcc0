import CivilTime
import Phrases
import TestSupport
import Testing

@testable import Reminders

/// Rules that repeat within a day.
@Suite struct WithinDayTests {
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc
    /// Friday, 20 November 2026, 18:00 in Madrid.
    private let now = Timestamp(secondsSince1970: 1_795_194_000)

    private func moment(_ text: String) throws -> Timestamp {
        try DatePhrase.reading(text, now: now, zone: madrid, defaultTime: 9 * 3_600).moment
    }

    private func reading(_ phrase: String) throws -> RecurrenceRule {
        try RecurrencePhrase.reading(phrase, .init(now: now, zone: madrid)).rule
    }

    /// The first occurrences of a rule in local time: `20 09:00`, with `b` after a time that occurs for the
    /// second time.
    private func times(_ rule: RecurrenceRule, from start: String, count: Int) throws -> [String] {
        let start = try moment(start)
        var due = start - 1
        var times: [String] = []
        while times.count < count, let next = rule.next(after: due, and: due, from: start, in: madrid) {
            due = next.due
            let civil = try #require(madrid.civil(at: due))
            let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
            let again = madrid.moment(of: civil) == due ? "" : "b"
            times.append("\(two(civil.date.day)) \(two(civil.hour)):\(two(civil.minute))\(again)")
        }
        return times
    }

    /// D9: Hourly and minutely rules are read as typed, and shown in words that can be typed again.
    @Test(arguments: [
        ("hourly", "FREQ=HOURLY", "every hour"), ("hour", "FREQ=HOURLY", "every hour"),
        ("every 90 minutes", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("90m", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("2h", "FREQ=HOURLY;INTERVAL=2", "every 2 hours"),
        ("half hour", "FREQ=MINUTELY;INTERVAL=30", "every 30 minutes"),
        ("half an hour", "FREQ=MINUTELY;INTERVAL=30", "every 30 minutes"),
        ("1h30", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("every 2h 30m", "FREQ=MINUTELY;INTERVAL=150", "every 150 minutes"),
        ("1.5h", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("an hour and a half", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("half a day", "FREQ=HOURLY;INTERVAL=12", "every 12 hours"),
        (
            "1h30 from 9 to 18", "FREQ=MINUTELY;INTERVAL=90;X-BETWEEN=0900-1800",
            "every 90 minutes, 9:00–18:00"
        ),
        ("1h60m", "FREQ=HOURLY;INTERVAL=2", "every 2 hours"),
        ("1 hour 30 minutes", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("other hour", "FREQ=HOURLY;INTERVAL=2", "every 2 hours"),
        (
            "every 2 hours from 9 to 18", "FREQ=HOURLY;INTERVAL=2;X-BETWEEN=0900-1800",
            "every 2 hours, 9:00–18:00"
        ),
        (
            "90 minutes 9:00-18:00", "FREQ=MINUTELY;INTERVAL=90;X-BETWEEN=0900-1800",
            "every 90 minutes, 9:00–18:00"
        ),
        ("hour 9-5pm", "FREQ=HOURLY;X-BETWEEN=0900-1700", "every hour, 9:00–17:00"),
        ("hour 1-5pm", "FREQ=HOURLY;X-BETWEEN=1300-1700", "every hour, 13:00–17:00"),
        ("hour between 10 pm and 6 am", "FREQ=HOURLY;X-BETWEEN=2200-0600", "every hour, 22:00–6:00"),
        ("hour 9–18", "FREQ=HOURLY;X-BETWEEN=0900-1800", "every hour, 9:00–18:00"),
        ("hour 0900-1800", "FREQ=HOURLY;X-BETWEEN=0900-1800", "every hour, 9:00–18:00"),
        ("hour midnight to 6:00", "FREQ=HOURLY;X-BETWEEN=0000-0600", "every hour, 0:00–6:00"),
        ("hour 22-6", "FREQ=HOURLY;X-BETWEEN=2200-0600", "every hour, 22:00–6:00"),
        ("hour noon to midnight", "FREQ=HOURLY;X-BETWEEN=1200-2400", "every hour, 12:00–24:00"),
        (
            "hourly mon-fri 9-18", "FREQ=HOURLY;BYDAY=MO,TU,WE,TH,FR;X-BETWEEN=0900-1800",
            "every hour from Mon to Fri, 9:00–18:00"
        ),
        (
            "from 9 to 18 every 30 minutes on sat, 10 times",
            "FREQ=MINUTELY;COUNT=10;INTERVAL=30;BYDAY=SA;X-BETWEEN=0900-1800",
            "every 30 minutes on Sat, 9:00–18:00, 10 times"
        ),
        ("mon,wed every 2 hours", "FREQ=HOURLY;INTERVAL=2;BYDAY=MO,WE", "every 2 hours on Mon and Wed"),
        ("mon-fri hourly", "FREQ=HOURLY;BYDAY=MO,TU,WE,TH,FR", "every hour from Mon to Fri"),
        ("hourly on weekdays", "FREQ=HOURLY;BYDAY=MO,TU,WE,TH,FR", "every hour from Mon to Fri"),
        (
            "weekends hourly 9-18", "FREQ=HOURLY;BYDAY=SA,SU;X-BETWEEN=0900-1800",
            "every hour on Sat and Sun, 9:00–18:00"
        ),
        ("freq=minutely", "FREQ=MINUTELY", "every minute"),
    ])
    func ruleIsReadAsTyped(phrase: String, rule: String, words: String) throws {
        let read = try reading(phrase)
        #expect(read.text == rule)
        #expect(read.words(due: nil, in: madrid) == words)
        #expect(try reading(words) == read)
        #expect(try RecurrenceRule(read.text) == read)
    }

    /// D9: The error for a refused rule has the reason and a rule that is accepted.
    @Test(arguments: [
        ("every 30 seconds", "an item can repeat every minute at most; try '1 minute' or '5 minutes'"),
        ("FREQ=SECONDLY", "an item can repeat every minute at most; try '1 minute' or '5 minutes'"),
        (
            "day 9:00-18:00",
            "hours such as 9:00–18:00 need a rule within the day, such as '2 hours' or '90 minutes'"
        ),
        (
            "FREQ=DAILY;X-BETWEEN=0900-1800",
            "hours such as 9:00–18:00 need a rule within the day, such as '2 hours' or '90 minutes'"
        ),
        (
            "hour 9-5",
            "'9-5' can be in the morning or in the afternoon; did you mean 'hour 9:00-17:00'?"
        ),
        ("hour 9-25", "there is no time of day '25'; try '9:00-18:00'"),
        ("hour 9:00-9:00", "'9:00-9:00' begins and ends at the same time; try '9:00-18:00'"),
        (
            "hour on the 15th",
            "a rule within the day can name days of the week only, such as 'hour mon-fri'; 'BYMONTHDAY=15' names others"
        ),
        ("FREQ=HOURLY;X-BETWEEN=9-18", "X-BETWEEN=9-18 is not a range of hours; try X-BETWEEN=0900-1800"),
        (
            "FREQ=HOURLY;BYHOUR=9;X-BETWEEN=0900-1800",
            "the hours are named twice, by X-BETWEEN and by BYHOUR or BYMINUTE"
        ),
        ("FREQ=HOURLY;BYWEEKNO=3", "BYWEEKNO needs FREQ=MONTHLY or YEARLY"),
    ])
    func refusalSuggestsAcceptedRule(phrase: String, reason: String) {
        #expect(throws: RecurrenceError(reason: reason)) { try reading(phrase) }
    }

    /// D9: Intervals are counted on the clock. The hours of a rule begin and end by the clock too, also in the
    /// nights in which the clocks change.
    @Test(arguments: [
        ("hour", "2026-11-20 22:30", ["20 22:30", "20 23:30", "21 00:30"]),
        ("90 minutes", "2026-11-20 21:00", ["20 21:00", "20 22:30", "21 00:00"]),
        ("2 hours from 9 to 18", "2026-11-20 15:00", ["20 15:00", "20 17:00", "21 09:00"]),
        // The first time determines how long after 9:00 the first occurrence of each day is.
        ("hour 9:00-18:00", "2026-11-20 16:15", ["20 16:15", "20 17:15", "21 09:15"]),
        ("50 minutes 9:00-10:00", "2026-11-20 09:00", ["20 09:00", "20 09:50", "21 09:00"]),
        // Both ends belong to the hours.
        ("hour 9:00-11:00", "2026-11-20 10:00", ["20 10:00", "20 11:00", "21 09:00"]),
        ("hour 22:00-1:00", "2026-11-20 23:00", ["20 23:00", "21 00:00", "21 01:00", "21 22:00"]),
        // A night belongs to the day on which it begins.
        ("hour fri 23:00-1:00", "2026-11-20 23:00", ["20 23:00", "21 00:00", "21 01:00", "27 23:00"]),
        // 2:00 to 3:00 is skipped on 28 March, and occurs twice on 31 October.
        ("30 minutes", "2027-03-28 01:00", ["28 01:00", "28 01:30", "28 03:00", "28 03:30"]),
        ("8 hours", "2027-03-27 18:30", ["27 18:30", "28 03:30", "28 10:30", "28 18:30", "29 02:30"]),
        ("hour 22:00-6:00", "2027-03-28 01:00", ["28 01:00", "28 03:00", "28 04:00"]),
        ("30 minutes", "2027-10-31 02:00", ["31 02:00", "31 02:30", "31 02:00b", "31 02:30b", "31 03:00"]),
        (
            "hour 22:00-3:00", "2027-10-31 01:00",
            ["31 01:00", "31 02:00", "31 02:00b", "31 03:00", "31 22:00"]
        ),
        ("2 hours", "2027-10-31 00:00", ["31 00:00", "31 02:00", "31 04:00"]),
        // The minutes of an hourly rule are times of each hour.
        ("FREQ=HOURLY;BYMINUTE=30,0", "2026-11-20 09:30", ["20 09:30", "20 10:00", "20 10:30", "20 11:00"]),
        ("FREQ=HOURLY;INTERVAL=2;BYMINUTE=15,45", "2026-11-20 09:20", ["20 09:45", "20 11:15", "20 11:45"]),
        ("FREQ=HOURLY;BYMINUTE=0,30", "2027-03-28 01:00", ["28 01:00", "28 01:30", "28 03:00", "28 03:30"]),
        ("FREQ=HOURLY;BYHOUR=9,10;BYDAY=SA", "2026-11-20", ["21 09:00", "21 10:00", "28 09:00"]),
        (
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=8;BYMINUTE=0,40", "2026-11-20",
            ["21 08:00", "21 08:40", "22 08:00"]
        ),
    ])
    func ruleRepeatsWithinDay(phrase: String, start: String, expected: [String]) throws {
        #expect(try times(try reading(phrase), from: start, count: expected.count) == expected)
    }

    /// D9: The end counts, and a count includes the missed occurrences.
    @Test func ruleEnds() throws {
        #expect(
            try times(try reading("hour until 20 nov 2026 20:00"), from: "2026-11-20 18:30", count: 5).count
                == 2)
        let rule = try reading("10 minutes 6 times")
        let start = try moment("2026-11-21 09:00")
        #expect(rule.next(after: start, and: start + 1_200, from: start, in: madrid)?.passed == 3)
        #expect(rule.next(after: start, and: start + 86_400, from: start, in: madrid) == nil)
    }

    /// D9: Missed occurrences count as one: a day late, a rule of 10 minutes moves to its next occurrence
    /// directly.
    @Test func missedTimesCollapse() throws {
        let start = try moment("2026-11-01 09:00")
        let series = Series(try reading("10 minutes"), start: start, due: start, in: madrid)
        let next = try #require(series.done(at: start + 86_400 + 61))
        #expect(next.due == start + 86_400 + 600 && next.passed == 1)
        let windowed = Series(try reading("10 minutes 9-18"), start: start, due: start, in: madrid)
        #expect(try #require(windowed.done(at: start + 12 * 3_600)).due == start + 86_400)
    }

    /// D9: After completion, the next occurrence is an interval later, or when the hours of the rule begin again.
    @Test func intervalIsCountedFromWhenItIsDone() throws {
        let start = try moment("2026-11-20 09:00")
        let rule = try reading("90 minutes 9:00-18:00")
        let series = Series(rule, start: start, due: start, isAfterDone: true, in: madrid)
        let noon = try #require(series.done(at: try moment("2026-11-20 12:10") + 25))
        #expect(noon.due == (try moment("2026-11-20 13:40")) && noon.start == noon.due)
        #expect(
            try #require(noon.done(at: try moment("2026-11-20 17:10"))).due
                == (try moment("2026-11-21 09:00")))
    }

    /// D9: Rules that never occur are detected at once, for any interval.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=7", "FREQ=HOURLY;INTERVAL=2;BYHOUR=10",
            "FREQ=HOURLY;UNTIL=20200101",
            "FREQ=HOURLY;INTERVAL=12;X-BETWEEN=1000-1100",
        ])
    func ruleThatNeverOccursIsKnown(text: String) throws {
        let rule = try RecurrenceRule(text)
        for _ in 0..<5 { #expect(rule.first(from: try moment("2026-11-21 09:00"), in: madrid) == nil) }
    }

    /// D9: The next occurrence agrees with a clock that is read every minute.
    @Test func nextOccurrenceAgreesWithClockReadEveryMinute() throws {
        var random = SplitMix(state: 99)
        for round in 0..<60 {
            let zone = try #require(
                TimeZoneRules(
                    named: ["Europe/Madrid", "America/St_Johns", "Australia/Lord_Howe"][
                        Int.random(in: 0...2, using: &random)]
                ))
            // Around the nights in which the clocks change, and on another day.
            let day = [
                1_806_192_000, 1_824_937_200, 1_804_998_600, 1_825_558_200, 1_806_760_800, 1_822_487_400,
                1_812_000_000,
            ][Int.random(in: 0...6, using: &random)]
            let start = Timestamp(
                secondsSince1970: Double((day + Int.random(in: -86_400...86_400, using: &random)) / 60 * 60))
            let step = [10, 15, 30][Int.random(in: 0...2, using: &random)]
            let first = Int.random(in: 0..<1_440, using: &random) * 60
            let length = Int.random(in: 60...1_380, using: &random) * 60
            let hasWindow = Bool.random(using: &random)
            let window = DayWindow(from: first, to: (first + length) % 86_400)
            let civil = try #require(zone.civil(at: start))
            guard !hasWindow || window?.contains(secondOfDay: civil.secondOfDay) == true else { continue }
            let rule = try RecurrenceRule("FREQ=MINUTELY;INTERVAL=\(step)").between(hasWindow ? window : nil)
            let from = hasWindow ? first : civil.secondOfDay
            let offset = ((civil.secondOfDay - from) % (step * 60) + step * 60) % (step * 60)
            var expected: [Timestamp] = []
            var moment = start
            while expected.count < 60, moment < start + 3 * 86_400 {
                let clock = try #require(zone.civil(at: moment)).secondOfDay
                let distance =
                    hasWindow
                    ? ((clock - first) % 86_400 + 86_400) % 86_400
                    : ((clock - from) % 86_400 + 86_400) % 86_400
                if !hasWindow || distance <= length, (distance - offset) % (step * 60) == 0,
                    distance >= offset
                {
                    expected.append(moment)
                }
                moment = moment + 60
            }
            var found: [Timestamp] = []
            var due = start - 1
            while found.count < expected.count,
                let next = rule.next(after: due, and: due, from: start, in: zone)
            {
                due = next.due
                found.append(due)
            }
            let shown = { (moments: [Timestamp]) in moments.compactMap { RFC3339.text($0, in: zone) } }
            guard found == expected else {
                let index = zip(found, expected).prefix { $0 == $1 }.count
                Issue.record(
                    "round \(round): \(rule) in \(zone.name): \(shown(Array(found.dropFirst(max(0, index - 1)).prefix(3)))), expected \(shown(Array(expected.dropFirst(max(0, index - 1)).prefix(3))))"
                )
                return
            }
        }
    }

    /// D9: The exported rule has the times of the day if hours and minutes can name them, and the interval with
    /// its hours otherwise.
    @Test(arguments: [
        ("2 hours 9-18", "2026-11-20 09:00", "FREQ=DAILY;BYHOUR=9,11,13,15,17;BYMINUTE=0"),
        ("30 minutes 9:00-10:30", "2026-11-20 09:00", "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30"),
        ("hour mon-fri 9-11", "2026-11-20 09:15", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,10;BYMINUTE=15"),
        ("90 minutes 9:00-18:00", "2026-11-20 09:00", "FREQ=MINUTELY;INTERVAL=90;BYHOUR=9,10,12,13,15,16,18"),
        ("hour fri 23-1", "2026-11-20 23:00", "FREQ=HOURLY;BYDAY=FR;BYHOUR=0,1,23"),
        ("hour 22:00-1:00", "2026-11-20 23:00", "FREQ=DAILY;BYHOUR=0,1,22,23;BYMINUTE=0"),
        ("hour", "2026-11-20 23:00", "FREQ=HOURLY"),
    ])
    func exportedRuleIsPortable(phrase: String, start: String, expected: String) throws {
        #expect(try reading(phrase).portable(from: madrid.civil(at: try moment(start))) == expected)
    }

    /// A rule that begins in the hour that the clocks repeat has all times of that hour.
    @Test func ruleThatBeginsInRepeatedHourHasAllItsTimes() throws {
        let berlin = try #require(TimeZoneRules(named: "Europe/Berlin"))
        let due = try #require(RFC3339.moment("2026-10-25T02:45:00+02:00"))
        let now = due - 5_100
        var series: Series? = Series(try reading("20 minutes"), start: due, due: due, in: berlin)
        for minutes in [20, 40, 60, 80] {
            series = series?.done(at: now)
            #expect(series?.due == due + Double(minutes * 60))
        }
    }
}
