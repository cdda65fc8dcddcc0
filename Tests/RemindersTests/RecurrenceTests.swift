import CivilTime
import Phrases
import Testing

@testable import Reminders

@Suite struct RecurrenceTests {
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc

    private func moment(_ text: String) throws -> Timestamp {
        try DatePhrase.reading(
            text, now: Timestamp(secondsSince1970: 1_795_194_000), zone: madrid, defaultTime: 9 * 3_600
        ).moment
    }

    private func text(_ moment: Timestamp?) -> String? {
        moment.flatMap { RFC3339.text($0, in: madrid) }
    }

    /// The first `count` occurrences of a rule, including the first time, found one after the other.
    private func times(_ rule: String, from start: String, count: Int) throws -> [String] {
        let rule = try RecurrenceRule(rule)
        let start = try moment(start)
        var due = start - 1
        var times: [String] = []
        while times.count < count, let next = rule.next(after: due, and: due, from: start, in: madrid) {
            due = next.due
            times.append(try #require(text(due)))
        }
        return times
    }

    // MARK: - The occurrences of a rule

    @Test(arguments: [
        ("FREQ=DAILY", "2026-11-20", ["2026-11-20T09:00:00+01:00", "2026-11-21T09:00:00+01:00"]),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "2026-11-23",
            ["2026-11-23T09:00:00+01:00", "2026-11-25T09:00:00+01:00", "2026-12-07T09:00:00+01:00"]
        ),
        // The first time need not match the rule.
        ("FREQ=WEEKLY;BYDAY=MO", "2026-11-20", ["2026-11-23T09:00:00+01:00", "2026-11-30T09:00:00+01:00"]),
        // RFC 5545 skips short months. With SKIP=BACKWARD the rule uses their last day.
        ("FREQ=MONTHLY", "2027-01-31", ["2027-01-31T09:00:00+01:00", "2027-03-31T09:00:00+02:00"]),
        (
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "2027-01-31",
            ["2027-01-31T09:00:00+01:00", "2027-02-28T09:00:00+01:00", "2027-03-31T09:00:00+02:00"]
        ),
        (
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "2028-02-29",
            ["2028-02-29T09:00:00+01:00", "2029-02-28T09:00:00+01:00"]
        ),
        (
            "FREQ=MONTHLY;BYDAY=-1FR", "2026-11-01",
            ["2026-11-27T09:00:00+01:00", "2026-12-25T09:00:00+01:00"]
        ),
        (
            "FREQ=DAILY;BYHOUR=8,20", "2026-11-20 08:00",
            ["2026-11-20T08:00:00+01:00", "2026-11-20T20:00:00+01:00", "2026-11-21T08:00:00+01:00"]
        ),
        // The last working day of the month.
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-20",
            ["2026-11-30T09:00:00+01:00", "2026-12-31T09:00:00+01:00"]
        ),
        // The local time stays the same over a change of the clocks.
        (
            "FREQ=DAILY", "2027-03-27",
            ["2027-03-27T09:00:00+01:00", "2027-03-28T09:00:00+02:00", "2027-03-29T09:00:00+02:00"]
        ),
        // 02:30 does not exist on the 28th, and exists again on the 29th.
        (
            "FREQ=DAILY", "2027-03-27 02:30",
            ["2027-03-27T02:30:00+01:00", "2027-03-28T03:30:00+02:00", "2027-03-29T02:30:00+02:00"]
        ),
        // 02:30 occurs twice on 31 October, and counts once.
        (
            "FREQ=DAILY", "2027-10-30 02:30",
            ["2027-10-30T02:30:00+02:00", "2027-10-31T02:30:00+02:00", "2027-11-01T02:30:00+01:00"]
        ),
    ])
    func ruleRepeats(rule: String, start: String, expected: [String]) throws {
        #expect(try times(rule, from: start, count: expected.count) == expected)
    }

    @Test(arguments: [
        ("FREQ=DAILY;UNTIL=20261122", 3), ("FREQ=DAILY;UNTIL=20261122T080000Z", 3),
        ("FREQ=DAILY;UNTIL=20261122T075959Z", 2), ("FREQ=DAILY;UNTIL=20261122T090000", 3),
        ("FREQ=DAILY;UNTIL=20261119", 0),
        // The caller keeps the count and ends the series. The rule by itself continues.
        ("FREQ=DAILY;COUNT=2", 5),
    ])
    func untilEndsRule(rule: String, count: Int) throws {
        #expect(try times(rule, from: "2026-11-20", count: 5).count == count)
    }

    @Test func lateCompletionSkipsMissedOccurrences() throws {
        let rule = try RecurrenceRule("FREQ=DAILY;COUNT=6")
        let start = try moment("2026-11-01")
        let next = try #require(
            rule.next(
                after: try moment("2026-11-10"), and: try moment("2026-11-14 10:00"), from: start, in: madrid)
        )
        #expect(text(next.due) == "2026-11-15T09:00:00+01:00")
        #expect(next.passed == 5)
        // No occurrence is left after the last counted one has passed. Without a count, the missed ones are
        // not counted.
        #expect(rule.next(after: start, and: start + 7 * 86_400, from: start, in: madrid) == nil)
        let endless = try RecurrenceRule("FREQ=DAILY")
        #expect(endless.next(after: start, and: start + 7 * 86_400, from: start, in: madrid)?.passed == 1)
    }

    @Test func earlyCompletionMovesByOneOccurrence() throws {
        let rule = try RecurrenceRule("FREQ=WEEKLY")
        let due = try moment("2026-11-20")
        let next = try #require(rule.next(after: due, and: due - 86_400, from: due, in: madrid))
        #expect(text(next.due) == "2026-11-27T09:00:00+01:00")
        #expect(next.passed == 1)
    }

    @Test(arguments: [
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SA", "FREQ=MONTHLY;BYDAY=2TU",
        "FREQ=MONTHLY;INTERVAL=5", "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=5;SKIP=BACKWARD",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "FREQ=YEARLY;INTERVAL=4;BYYEARDAY=100",
        "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "FREQ=DAILY;BYDAY=MO,FR;INTERVAL=2",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    ])
    func laterSearchFindsSameOccurrences(rule: String) throws {
        let rule = try RecurrenceRule(rule + ";COUNT=100000")
        let start = try moment("2024-01-31")
        let limit = start + 12 * 365 * 86_400
        var due = start - 1
        var passed = 0
        // Compares searches that each continue from the previous occurrence with single searches from the
        // beginning.
        while let next = rule.next(after: due, and: due, from: start, in: madrid), next.due <= limit {
            due = next.due
            passed += 1
            guard passed % 100 == 5 else { continue }
            let direct = rule.next(after: start - 1, and: due - 1, from: start, in: madrid)
            #expect(direct == RecurrenceRule.Next(due: due, passed: passed))
        }
        #expect(passed > 2)
    }

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=7;BYDAY=SA",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=8", "FREQ=DAILY;UNTIL=20200101",
        "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8;BYDAY=MO;BYSETPOS=3",
        "FREQ=YEARLY;BYMONTH=1;BYDAY=MO;BYSETPOS=-6",
        "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21;BYMONTH=2;BYMONTHDAY=30",
    ])
    func ruleWithoutOccurrenceIsKnown(rule: String) throws {
        #expect(try RecurrenceRule(rule).first(from: moment("2026-11-20"), in: madrid) == nil)
    }

    /// The search begins near the due time, after most of the days that a position counts.
    @Test func positionIsCountedFromBeginningOfMonth() throws {
        let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=15;UNTIL=20261130")
        let due = try moment("2026-11-18")
        let next = rule.next(after: due, and: due, from: try moment("2026-11-02"), in: madrid)
        #expect(text(next?.due) == "2026-11-20T09:00:00+01:00")
    }

    @Test func ruleEndsAtEndOfCalendar() throws {
        let rule = try RecurrenceRule("FREQ=YEARLY")
        let last = try moment("9999-06-01")
        #expect(rule.next(after: last, and: last, from: last, in: madrid) == nil)
        let first = try moment("0001-01-02")
        #expect(rule.first(from: first, in: madrid) == first)
    }

    // MARK: - Refusals

    @Test(arguments: [
        ("FREQ=SECONDLY", "an item can repeat every minute at most; try '1 minute' or '5 minutes'"),
        ("FREQ=FOO", "'FREQ=FOO' is not a rule of RFC 5545"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20270101", "a rule cannot have both COUNT and UNTIL"),
        ("BYDAY=MO", "the rule lacks FREQ=, such as FREQ=DAILY or FREQ=WEEKLY"),
        ("FREQ=DAILY;FREQ=WEEKLY", "FREQ is given twice"),
        ("FREQ=DAILY;X=3", "X=3 is not valid in a rule"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32 is not valid in a rule"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL=0 is not a number from 1 to 32767"),
        ("FREQ=DAILY;INTERVAL=99999", "INTERVAL=99999 is more than 32767"),
        ("FREQ=DAILY;BYDAY=2MO", "BYDAY=2MO: a number before the day needs FREQ=MONTHLY or YEARLY"),
        ("FREQ=DAILY;", "'' is not a part of a rule; a rule has the form FREQ=WEEKLY;BYDAY=MO,WE"),
        ("FREQ=DAILY;BYSECOND=5", "BYSECOND is finer than a minute, which is not supported"),
        (
            "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5",
            "the rule names 25 times a day; at most 24 are possible"
        ),
        (
            "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1",
            "BYSETPOS needs FREQ=MONTHLY or YEARLY and one time of the day"
        ),
        (
            "FREQ=MONTHLY;BYDAY=MO;BYHOUR=8,9;BYSETPOS=1",
            "BYSETPOS needs FREQ=MONTHLY or YEARLY and one time of the day"
        ),
        ("FREQ=DAILY;COUNT=0", "COUNT=0 is not a number from 1 to 100000"),
    ])
    func malformedRuleIsRefused(rule: String, reason: String) {
        #expect(throws: RecurrenceError(reason: reason)) { try RecurrenceRule(rule) }
    }

    @Test func rulesAreRefusedBeyondTheirLimits() {
        #expect(
            throws: RecurrenceError(reason: "a rule has at most \(RecurrenceRule.lengthLimit) characters")
        ) {
            try RecurrenceRule("FREQ=DAILY;BYMONTH=" + String(repeating: "1,", count: 300))
        }
        let hours = { (count: Int) in
            "FREQ=DAILY;BYHOUR=" + (0..<count / 2).map(String.init).joined(separator: ",") + ";BYMINUTE=0,30"
        }
        let limit = RecurrenceRule.timesADayLimit
        #expect(throws: Never.self) { try RecurrenceRule(hours(limit)) }
        #expect(throws: RecurrenceError.self) { try RecurrenceRule(hours(limit + 2)) }
        let count = RecurrenceRule.countLimit
        #expect(throws: Never.self) { try RecurrenceRule("FREQ=DAILY;COUNT=\(count)") }
        #expect(throws: RecurrenceError.self) { try RecurrenceRule("FREQ=DAILY;COUNT=\(count + 1)") }
    }

    // MARK: - Phrases

    @Test(arguments: [
        ("day", "FREQ=DAILY", "every day"), ("every day", "FREQ=DAILY", "every day"),
        ("daily", "FREQ=DAILY", "every day"), ("3 days", "FREQ=DAILY;INTERVAL=3", "every 3 days"),
        ("other day", "FREQ=DAILY;INTERVAL=2", "every 2 days"),
        ("2 weeks", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("fortnight", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("mon,wed", "FREQ=WEEKLY;BYDAY=MO,WE", "every week on Mon and Wed"),
        ("wednesday and Monday", "FREQ=WEEKLY;BYDAY=MO,WE", "every week on Mon and Wed"),
        ("mondays", "FREQ=WEEKLY;BYDAY=MO", "every week on Mon"),
        ("2 weeks on tue, fri", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", "every 2 weeks on Tue and Fri"),
        ("weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        ("mon to fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        (
            "2 weeks from sat to mon", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA,SU",
            "every 2 weeks on Mon, Sat and Sun"
        ),
        ("day once", "FREQ=DAILY;COUNT=1", "every day, once"),
        ("weekend", "FREQ=WEEKLY;BYDAY=SA,SU", "every week on Sat and Sun"),
        ("month", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "every month"),
        ("quarter", "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=3;SKIP=BACKWARD", "every 3 months"),
        ("year", "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "every year"),
        ("15th", "FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
        ("1st and 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
        ("31st", "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", "every month on the 31st"),
        ("last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("first monday", "FREQ=MONTHLY;BYDAY=1MO", "every month on the first Mon"),
        ("last friday of the month", "FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri"),
        (
            "2 months on the last friday", "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR",
            "every 2 months on the last Fri"
        ),
        ("day 10 times", "FREQ=DAILY;COUNT=10", "every day, 10 times"),
        ("week for 1 time", "FREQ=WEEKLY;COUNT=1", "every week, once"),
        ("day until 1 dec", "FREQ=DAILY;UNTIL=20261201T225959Z", "every day, until 2026-12-01"),
        ("day until 1 dec 09:00", "FREQ=DAILY;UNTIL=20261201T080000Z", "every day, until 2026-12-01 09:00"),
        (
            "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
            "every year on the last Sun of Mar"
        ),
        ("freq=daily", "FREQ=DAILY", "every day"),
    ])
    func phraseIsRead(phrase: String, rule: String, words: String) throws {
        let context = RecurrencePhrase.Context(now: Timestamp(secondsSince1970: 1_795_194_000), zone: madrid)
        let read = try RecurrencePhrase.reading(phrase, context).rule
        #expect(read.text == rule)
        #expect(read.words(due: nil, in: madrid) == words)
        #expect(try RecurrenceRule(read.text) == read)
        #expect(try RecurrencePhrase.reading(words, context).rule == read)
    }

    /// The end of a rule is shown by the clock of the item, and read back as the same moment.
    @Test(arguments: ["America/New_York", "Europe/Berlin", "Pacific/Auckland"])
    func endInWordsIsReadBack(name: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        let now = Timestamp(secondsSince1970: 1_795_194_000)
        let context = RecurrencePhrase.Context(now: now, zone: zone)
        for (phrase, words) in [
            ("day until 1 dec", "every day, until 2026-12-01"),
            ("day until 1 dec 18:00", "every day, until 2026-12-01 18:00"),
            ("day until 1 dec 18:00:30", "every day, until 2026-12-01 18:00:30"),
            ("hourly until 1 dec 23:59", "every hour, until 2026-12-01 23:59"),
            ("31st until 2 jul 2027", "every month on the 31st, until 2027-07-02"),
            (
                "2 hours from 9 to 18 until 3 apr 2027 0:00",
                "every 2 hours, 9:00–18:00, until 2027-04-03 00:00"
            ),
            ("daily at 8 and 20 until 1 dec", "every day at 08:00 and 20:00, until 2026-12-01"),
        ] {
            let rule = try RecurrencePhrase.reading(phrase, context).rule
            #expect(rule.words(due: nil, in: zone) == words)
            #expect(try RecurrencePhrase.reading(words, context).rule == rule)
        }
        let date = try RecurrenceRule("FREQ=DAILY;UNTIL=20261201")
        #expect(date.words(due: nil, in: zone) == "every day, until 2026-12-01")
    }

    /// An item that repeats for a time span is shown with an end that gives the same occurrences.
    @Test(arguments: ["America/New_York", "Europe/Berlin", "Pacific/Auckland"])
    func spanInWordsIsReadBack(name: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        let now = Timestamp(secondsSince1970: 1_795_194_000)
        let first = try DatePhrase.reading("2026-11-23 09:00", now: now, zone: zone, defaultTime: 0).moment
        for (phrase, words, count) in [
            ("daily for 3 days", "every day, until 2026-11-25", 3),
            ("daily for 60 hours", "every day, until 2026-11-25", 3),
            ("hourly for 3 hours", "every hour, until 2026-11-23 11:59", 3),
            ("daily at 9 and 20 for 2 days", "every day at 09:00 and 20:00, until 2026-11-25 08:59", 4),
        ] {
            let context = RecurrencePhrase.Context(now: now, zone: zone)
            let reading = try RecurrencePhrase.reading(phrase, context)
            let span = try #require(reading.span)
            let rule = try reading.rule.ending(span, after: first, in: zone)
            #expect(rule.words(due: first, in: zone) == words)
            let typed = try RecurrencePhrase.reading(words, context).rule
            for rule in [rule, typed] {
                var series: Series? = Series(rule, start: first, due: first, in: zone)
                var times = 0
                while let open = series, times < 10 {
                    times += 1
                    series = open.done(at: open.due)
                }
                #expect(times == count, "\(rule)")
            }
        }
    }

    /// Different rules have different words. Typed rules mean the last day of a month that lacks their day.
    @Test(arguments: [
        ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-12-31", "FREQ=MONTHLY;BYMONTHDAY=31"),
        ("FREQ=MONTHLY;BYMONTHDAY=28", "2026-12-28", "every month on the 28th"),
        (
            "FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2", "2028-02-29", "FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2"
        ),
        ("FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=12", "2026-12-31", "every year on 31 Dec"),
        ("FREQ=MONTHLY", "2026-12-31", "FREQ=MONTHLY"), ("FREQ=MONTHLY", "2026-12-28", "every month"),
        ("FREQ=YEARLY", "2028-02-29", "FREQ=YEARLY"), ("FREQ=YEARLY", "2026-12-31", "every year"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2027-01-29", "every month on the last Fri"),
    ])
    func rulesThatSkipShortMonthsHaveOtherWords(rule: String, due: String, words: String) throws {
        let now = Timestamp(secondsSince1970: 1_795_194_000)
        let due = try DatePhrase.reading(due, now: now, zone: madrid, defaultTime: 9 * 3_600).moment
        #expect(try RecurrenceRule(rule).words(due: due, in: madrid) == words)
    }

    /// The order of the values of a list and duplicates have no meaning: such rules are equal, and have the
    /// same words.
    @Test(arguments: [
        ("FREQ=MONTHLY;BYMONTHDAY=20,5", "FREQ=MONTHLY;BYMONTHDAY=5,20"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1,15,1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
        ("FREQ=WEEKLY;BYDAY=SU,WE,MO,WE", "FREQ=WEEKLY;BYDAY=MO,WE,SU"),
        ("FREQ=MONTHLY;BYDAY=-1FR,3MO,1FR,TU", "FREQ=MONTHLY;BYDAY=TU,1FR,3MO,-1FR"),
        ("FREQ=DAILY;BYHOUR=20,8,0;BYMINUTE=30,0", "FREQ=DAILY;BYMINUTE=0,30;BYHOUR=0,8,20"),
        ("FREQ=DAILY;BYHOUR=8,8", "FREQ=DAILY;BYHOUR=8"),
        ("FREQ=YEARLY;BYMONTH=12,3;BYDAY=MO", "FREQ=YEARLY;BYDAY=MO;BYMONTH=3,12"),
        (
            "FREQ=MONTHLY;BYDAY=FR,MO;BYSETPOS=-1,2,1",
            "FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=1,2,-1"
        ),
        ("FREQ=YEARLY;BYYEARDAY=200,-1,100", "FREQ=YEARLY;BYYEARDAY=100,200,-1"),
        ("FREQ=YEARLY;BYWEEKNO=20,10;BYDAY=MO", "FREQ=YEARLY;BYDAY=MO;BYWEEKNO=10,20"),
        (
            "FREQ=HOURLY;BYDAY=FR,MO;X-BETWEEN=0900-1800", "FREQ=HOURLY;BYDAY=MO,FR;X-BETWEEN=0900-1800"
        ),
    ])
    func listsAreSorted(typed: String, sorted: String) throws {
        let rule = try RecurrenceRule(typed)
        #expect(rule.text == sorted)
        #expect(try rule == RecurrenceRule(sorted))
    }

    @Test(arguments: [
        ("monday 9am", "FREQ=WEEKLY;BYDAY=MO", 9 * 3_600), ("day at noon", "FREQ=DAILY", 12 * 3_600),
        ("9:30 pm every day", "FREQ=DAILY", 21 * 3_600 + 1_800),
        ("day 18:00 10 times", "FREQ=DAILY;COUNT=10", 18 * 3_600),
        ("day until 1 dec 09:00", "FREQ=DAILY;UNTIL=20261201T080000Z", nil),
        ("15th", "FREQ=MONTHLY;BYMONTHDAY=15", nil),
        ("morning", "FREQ=DAILY", 9 * 3_600), ("every evening", "FREQ=DAILY", 20 * 3_600),
        ("mornings 10 times", "FREQ=DAILY;COUNT=10", 9 * 3_600),
        ("in the afternoon until 1 dec", "FREQ=DAILY;UNTIL=20261201T225959Z", 15 * 3_600),
        ("each morning at 7", "FREQ=DAILY", 7 * 3_600),
        ("at 8 in the evening", "FREQ=DAILY", 20 * 3_600),
        ("evening every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 20 * 3_600),
        ("monday evening at 9", "FREQ=WEEKLY;BYDAY=MO", 21 * 3_600),
    ])
    func timeOfDayIsRead(phrase: String, rule: String, secondOfDay: Int?) throws {
        let context = RecurrencePhrase.Context(now: Timestamp(secondsSince1970: 1_795_194_000), zone: madrid)
        let reading = try RecurrencePhrase.reading(phrase, context)
        #expect(reading.rule.text == rule && reading.secondOfDay == secondOfDay)
    }

    @Test(arguments: [
        ("", "no rule given"), ("0 days", "every 0 is not possible; try 'every day'"),
        ("day 0 times", "a rule cannot repeat 0 times; try '10 times'"),
        ("day for 0 days", "for '0 days' has no length; try 'for 2 weeks' or '10 times'"),
        ("99999 weeks", "every 99999 is too rare; at most 32767 is possible"),
        (
            "moon",
            "'moon' is not understood; try 'day', '2 weeks', 'mon,wed', 'month', 'last friday', "
                + "or a rule such as FREQ=DAILY"
        ),
        (
            "day at lunch",
            "'at lunch' is not understood; try 'day', '2 weeks', 'mon,wed', 'month', "
                + "'last friday', or a rule such as FREQ=DAILY"
        ),
        ("9am", "'9am' does not name days; try 'every day 9am'"), ("every", "no rule given"),
        ("every 9am", "'9am' does not name days; try 'every day 9am'"),
        ("every morning until 30 feb", "until '30 feb': February has 29 days, there is no day 30"),
        ("day 25:00", "there is no time of day '25:00'"),
        (
            "9am day 10am",
            "'10am' is not understood; try 'day', '2 weeks', 'mon,wed', 'month', "
                + "'last friday', or a rule such as FREQ=DAILY"
        ),
        ("day until 30 feb", "until '30 feb': February has 29 days, there is no day 30"),
        ("second", "an item can repeat every minute at most; try '1 minute' or '5 minutes'"),
    ])
    func malformedPhraseIsRefused(phrase: String, reason: String) {
        let context = RecurrencePhrase.Context(now: Timestamp(secondsSince1970: 1_795_194_000), zone: madrid)
        #expect(throws: RecurrenceError(reason: reason)) { try RecurrencePhrase.reading(phrase, context) }
    }

    // MARK: - The first time

    /// The first time without a due time is the first occurrence after now, which is Friday, 20 November
    /// 2026, at 10:20.
    @Test(arguments: [
        ("FREQ=DAILY;BYHOUR=8,20", "2026-11-20T20:00:00+01:00"),
        ("FREQ=DAILY;BYHOUR=8", "2026-11-21T08:00:00+01:00"),
        ("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=15,45", "2026-11-20T20:15:00+01:00"),
        ("FREQ=DAILY;BYMINUTE=45", "2026-11-21T09:45:00+01:00"), ("FREQ=DAILY", "2026-11-21T09:30:00+01:00"),
        ("FREQ=WEEKLY;BYDAY=FR;BYHOUR=8,20", "2026-11-20T20:00:00+01:00"),
        ("FREQ=WEEKLY;BYDAY=FR", "2026-11-27T09:30:00+01:00"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-23T09:30:00+01:00"),
        ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=8,20", "2026-11-23T08:00:00+01:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=20", "2026-12-20T09:30:00+01:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=20;BYHOUR=12", "2026-11-20T12:00:00+01:00"),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "2026-12-15T09:30:00+01:00"),
        ("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2028-02-29T09:30:00+01:00"),
        ("FREQ=HOURLY;BYMINUTE=0,30", "2026-11-20T10:30:00+01:00"),
        ("FREQ=HOURLY;INTERVAL=5;BYHOUR=8,21", "2026-11-20T21:00:00+01:00"),
        ("FREQ=MINUTELY;INTERVAL=30;BYHOUR=10,11", "2026-11-20T10:30:00+01:00"),
        ("FREQ=MINUTELY;BYHOUR=20", "2026-11-20T20:00:00+01:00"),
        ("FREQ=HOURLY", "2026-11-20T11:20:00+01:00"),
    ])
    func firstTimeIsFirstOneAfterNow(rule: String, first: String) throws {
        let now = try #require(RFC3339.moment("2026-11-20T10:20:00+01:00"))
        let zone = try #require(TimeZoneRules(named: "Europe/Madrid"))
        let read = try RecurrenceRule(rule)
        let moment = try #require(read.firstTime(after: now, defaultTime: 9 * 3_600 + 1_800, in: zone))
        #expect(RFC3339.text(moment, in: zone) == first)
        // The rule continues from there.
        #expect(read.first(from: moment, in: zone) == moment)
    }
}
