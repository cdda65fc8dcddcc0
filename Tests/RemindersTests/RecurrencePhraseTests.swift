import CivilTime
import Foundation
import Phrases
import Testing

@testable import Reminders

@Suite struct RecurrencePhraseTests {
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc
    /// Friday, 20 November 2026.
    private let now = Timestamp(secondsSince1970: 1_795_194_000)

    private func reading(_ phrase: String) throws -> RecurrencePhrase.Reading {
        try RecurrencePhrase.reading(phrase, .init(now: now, zone: madrid))
    }

    /// Hours with an `h` are never added up: the rule is refused, with the times of day as they can be typed.
    @Test(arguments: [
        ("8h,20h", "8:00,20:00"), ("8h and 20h", "8:00 and 20:00"), ("day 14h", "day 14:00"),
        ("week 8h", "week 8:00"), ("day 8h and 20h", "day 8:00 and 20:00"), ("2 days 14h", "2 days 14:00"),
        ("mon 14h", "mon 14:00"), ("24 dec 14h", "24 dec 14:00"), ("daily 14h", "daily 14:00"),
        ("day 3h", "day 03:00"),
        ("9-18", "hour 9-18"), ("9:00-18:00", "hour 9:00-18:00"), ("8h-20h", "hour 8:00-20:00"),
        ("hour 9am-5", "hour 9:00-17:00"), ("hour from 9am to 5 on mon", "hour 9:00-17:00 on mon"),
        ("hour 8 to 5:30", "hour 8:00-17:30"), ("day until 2030", "day until 20:30"),
        ("10.12 9am", "10 dec 9am"), ("10.12 18:00", "10 dec 18:00"), ("10.12 at 9", "10 dec at 9"),
        ("10.12 noon", "10 dec noon"), ("at 8 14 20", "at 8 and 14 and 20"),
        ("at 9 1,15", "at 9 and 1 and 15"),
    ])
    func refusedRuleNamesSpellingThatWorks(rule: String, similar: String) throws {
        let error = try #require(throws: RecurrenceError.self) { try reading(rule) }
        #expect(error.reason.contains("did you mean '\(similar)'"), "\(error.reason)")
        _ = try reading(similar)
    }

    /// Each text that an error suggests is accepted as a rule.
    @Test(arguments: [
        "8h30", "7h45", "8h,20h", "1h,2h", "day 9h30", "2h 1d", "hour 9-5", "day until 8h30",
        "hour 9-5:30 mon",
        "9-5", "9am-5", "mon 25h", "14h",
    ])
    func suggestedRuleIsUnderstood(rule: String) {
        do {
            _ = try reading(rule)
        } catch let error as RecurrenceError {
            for text in error.reason.components(separatedBy: "did you mean ").dropFirst() {
                for (index, part) in text.split(separator: "'").enumerated()
                where index % 2 == 0 && part != "?" {
                    #expect(throws: Never.self, "\(error.reason)") { try reading(String(part)) }
                }
            }
        } catch {
            Issue.record(error)
        }
    }

    @Test(arguments: [
        ("8h30,20h30", "every day at 08:30 and 20:30"), ("daily at 14h", "every day"),
        ("8h", "every 8 hours"),
        ("1h30", "every 90 minutes"), ("day 9h30", "every day"), ("1 day 12 hours", "every 36 hours"),
    ])
    func clearHoursAreRead(rule: String, words: String) throws {
        #expect(try reading(rule).rule.words(due: nil, in: madrid) == words)
    }

    /// Hours that can end in the morning or in the afternoon are refused.
    @Test(arguments: [
        ("9am-5", "9:00-17:00"), ("10am-6", "10:00-18:00"), ("9-5:30", "9:00-17:30"),
        ("9:00-5", "9:00-17:00"),
        ("8h-5h", "8:00-17:00"), ("9-5", "9:00-17:00"), ("12-12", "12:00-24:00"),
    ])
    func hoursOfUnclearHalfAreRefused(hours: String, similar: String) throws {
        let error = try #require(throws: RecurrenceError.self) { try DayWindow(typed: hours) }
        #expect(error.reason.hasSuffix("did you mean '\(similar)'?"), "\(error.reason)")
        _ = try DayWindow(typed: similar)
    }

    @Test(arguments: ["22:00-6:00", "22-6", "10pm-5", "9am-05", "9:00-5am", "20:00-8", "9am-5pm"])
    func hoursOfClearHalfAreRead(hours: String) throws {
        _ = try DayWindow(typed: hours)
    }

    /// D10: The ways in which people name the days of a repetition are read, and shown in words that can be typed
    /// again.
    @Test(arguments: [
        (
            "last weekday of month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "every month on the last weekday"
        ),
        (
            "last working day", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "every month on the last weekday"
        ),
        ("first weekday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "every month on the first weekday"),
        ("mon-fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        ("monday–thursday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "every week on Mon, Tue, Wed and Thu"),
        ("mon - wed, sat", "FREQ=WEEKLY;BYDAY=MO,TU,WE,SA", "every week on Mon, Tue, Wed and Sat"),
        ("sat-mon", "FREQ=WEEKLY;BYDAY=MO,SA,SU", "every week on Mon, Sat and Sun"),
        ("2 weeks tue,thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "every 2 weeks on Tue and Thu"),
        ("tue,thu every 2 weeks", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "every 2 weeks on Tue and Thu"),
        ("tue every other week", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tue"),
        ("every other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tue"),
        ("other tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tue"),
        ("second week", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("every third day", "FREQ=DAILY;INTERVAL=3", "every 3 days"),
        ("biweekly", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
        ("15 of the month", "FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
        ("month on 15", "FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
        ("1,15 6 times", "FREQ=MONTHLY;COUNT=6;BYMONTHDAY=1,15", "every month on the 1st and 15th, 6 times"),
        ("24 dec", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "every year on 24 Dec"),
        ("dec 24", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "every year on 24 Dec"),
        ("the 24th of december", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "every year on 24 Dec"),
        ("yearly on 24 dec", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "every year on 24 Dec"),
        (
            "29 feb", "RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2;SKIP=BACKWARD",
            "every year on 29 Feb"
        ),
        (
            "first monday of december", "FREQ=YEARLY;BYDAY=1MO;BYMONTH=12",
            "every year on the first Mon of Dec"
        ),
        ("1st and 3rd monday", "FREQ=MONTHLY;BYDAY=1MO,3MO", "every month on the first and third Mon"),
        ("1d", "FREQ=DAILY", "every day"), ("2w", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("end of month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("end of the month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("month end", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("first day of every month", "FREQ=MONTHLY;BYMONTHDAY=1", "every month on the 1st"),
        ("daily mon-fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        ("every two weeks on friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every 2 weeks on Fri"),
        ("twenty five minutes", "FREQ=MINUTELY;INTERVAL=25", "every 25 minutes"),
        ("half year", "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=6;SKIP=BACKWARD", "every 6 months"),
        ("a fortnight", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("1 week 3 days", "FREQ=DAILY;INTERVAL=10", "every 10 days"),
        ("1.5 years", "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=18;SKIP=BACKWARD", "every 18 months"),
        ("2 quarters", "RSCALE=GREGORIAN;FREQ=MONTHLY;INTERVAL=6;SKIP=BACKWARD", "every 6 months"),
        ("quarter hour", "FREQ=MINUTELY;INTERVAL=15", "every 15 minutes"),
        ("every hour and a half", "FREQ=MINUTELY;INTERVAL=90", "every 90 minutes"),
        ("mon/wed/fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "every week on Mon, Wed and Fri"),
        ("1 and 15", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
        ("first of the month", "FREQ=MONTHLY;BYMONTHDAY=1", "every month on the 1st"),
        ("last of the month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on its last day"),
        ("every week day", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        ("once a week", "FREQ=WEEKLY", "every week"),
        ("once every 2 weeks", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("every noon", "FREQ=DAILY", "every day"), ("daily @ 9", "FREQ=DAILY", "every day"),
        ("mon-fri daily", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week from Mon to Fri"),
        ("tue weekly", "FREQ=WEEKLY;BYDAY=TU", "every week on Tue"),
        ("daily at 8 and 20", "FREQ=DAILY;BYMINUTE=0;BYHOUR=8,20", "every day at 08:00 and 20:00"),
        ("daily at 8:00 and 20:00", "FREQ=DAILY;BYMINUTE=0;BYHOUR=8,20", "every day at 08:00 and 20:00"),
        ("8:00,20:00", "FREQ=DAILY;BYMINUTE=0;BYHOUR=8,20", "every day at 08:00 and 20:00"),
        (
            "8am and 8pm, 10 times", "FREQ=DAILY;COUNT=10;BYMINUTE=0;BYHOUR=8,20",
            "every day at 08:00 and 20:00, 10 times"
        ),
        (
            "at 7:30, 13:30 and 19:30 mon-fri", "FREQ=WEEKLY;BYMINUTE=30;BYHOUR=7,13,19;BYDAY=MO,TU,WE,TH,FR",
            "every week from Mon to Fri at 07:30, 13:30 and 19:30"
        ),
        ("daily at 6 and 18", "FREQ=DAILY;BYMINUTE=0;BYHOUR=6,18", "every day at 06:00 and 18:00"),
        ("at 2 and 14", "FREQ=DAILY;BYMINUTE=0;BYHOUR=2,14", "every day at 02:00 and 14:00"),
        ("day 1:30 and 13:30", "FREQ=DAILY;BYMINUTE=30;BYHOUR=1,13", "every day at 01:30 and 13:30"),
        ("daily at 6 and 6pm", "FREQ=DAILY;BYMINUTE=0;BYHOUR=6,18", "every day at 06:00 and 18:00"),
        ("at 3 and 3pm", "FREQ=DAILY;BYMINUTE=0;BYHOUR=3,15", "every day at 03:00 and 15:00"),
        (
            "daily at 3, 9, 15", "FREQ=DAILY;BYMINUTE=0;BYHOUR=3,9,15",
            "every day at 03:00, 09:00 and 15:00"
        ),
        ("daily at 9 and 3", "FREQ=DAILY;BYMINUTE=0;BYHOUR=9,15", "every day at 09:00 and 15:00"),
        ("daily at 3 and 6pm", "FREQ=DAILY;BYMINUTE=0;BYHOUR=15,18", "every day at 15:00 and 18:00"),
        ("at 8, 20", "FREQ=DAILY;BYMINUTE=0;BYHOUR=8,20", "every day at 08:00 and 20:00"),
        (
            "at 8, 14, 20", "FREQ=DAILY;BYMINUTE=0;BYHOUR=8,14,20", "every day at 08:00, 14:00 and 20:00"
        ),
        (
            "at 9, 12 and 18", "FREQ=DAILY;BYMINUTE=0;BYHOUR=9,12,18",
            "every day at 09:00, 12:00 and 18:00"
        ),
        ("at 9, 24 dec", "FREQ=YEARLY;BYMONTHDAY=24;BYMONTH=12", "every year on 24 Dec"),
        ("20 and 5", "FREQ=MONTHLY;BYMONTHDAY=5,20", "every month on the 5th and 20th"),
        ("third and first monday", "FREQ=MONTHLY;BYDAY=1MO,3MO", "every month on the first and third Mon"),
        ("last and first monday", "FREQ=MONTHLY;BYDAY=1MO,-1MO", "every month on the first and last Mon"),
        ("day 3am, 9am", "FREQ=DAILY;BYMINUTE=0;BYHOUR=3,9", "every day at 03:00 and 09:00"),
        (
            "8:00, 8:30, 20:00, 20:30", "FREQ=DAILY;BYMINUTE=0,30;BYHOUR=8,20",
            "every day at 08:00, 08:30, 20:00 and 20:30"
        ),
    ])
    func daysAreReadAsTyped(phrase: String, rule: String, words: String) throws {
        let read = try reading(phrase).rule
        #expect(read.text == rule)
        #expect(read.words(due: nil, in: madrid) == words)
        #expect(try reading(words).rule == read)
    }

    /// D10: A time of day is also read before and after these rules.
    @Test(
        arguments: [
            ("mon-fri at 9am", 32_400), ("9:30 on the last weekday", 34_200), ("24 dec 18:00", 64_800),
            ("1,15 at noon", 43_200), ("tue,thu every 2 weeks 7:15", 26_100),
            ("daily at 8 and 20", nil),
        ] as [(String, Int?)])
    func ruleNamesTimeOfDay(phrase: String, second: Int?) throws {
        #expect(try reading(phrase).secondOfDay == second)
    }

    /// D10: A time span ends the rule at that distance from the first occurrence of the item.
    @Test func spanEndsRule() throws {
        let first = now + 86_400
        for (phrase, rule) in [
            ("day for 2 weeks", "FREQ=DAILY;UNTIL=20261204T225959Z"),
            ("mon-fri for a month", "FREQ=WEEKLY;UNTIL=20261220T225959Z;BYDAY=MO,TU,WE,TH,FR"),
        ] {
            let read = try reading(phrase)
            let span = try #require(read.span)
            #expect(try read.rule.ending(span, after: first, in: madrid).text == rule)
            #expect(read.rule.value(of: "UNTIL") == nil)
        }
        let read = try reading("day for 2 weeks")
        let rule = try read.rule.ending(try #require(read.span), after: first, in: madrid)
        var due = first
        var count = 1
        while let next = rule.next(after: due, and: due, from: first, in: madrid) {
            due = next.due
            count += 1
        }
        #expect(count == 14)
    }

    /// D10: In years without 29 February the rule means the day before, also for programs that only support RFC
    /// 5545.
    @Test func leapDayIsLastOfFebruary() throws {
        let rule = try reading("29 feb").rule
        let first = Timestamp(secondsSince1970: 1_835_434_800)
        let next = rule.next(after: first, and: first, from: first, in: madrid)
        #expect(next.flatMap { RFC3339.text($0.due, in: madrid) } == "2029-02-28T12:00:00+01:00")
        let start = madrid.civil(at: now)
        #expect(rule.portable(from: start) == "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1")
    }

    /// D10: The error for a refused rule has the reason and a rule that is accepted.
    @Test(arguments: [
        ("mnoday", "'mnoday' is not understood; did you mean 'monday'?"),
        ("2 wekes", "'2 wekes' is not understood; did you mean '2 weeks'?"),
        ("last firday", "'last firday' is not understood; did you mean 'last friday'?"),
        (
            "twice a week",
            "'twice a week' is not understood; name the days or the times, as in 'mon,thu' or 'day 10 times'"
        ),
        ("twice a day", "'twice a day' is not understood; name the times, as in 'daily at 8 and 20'"),
        (
            "3 times a day",
            "'3 times a day' is not understood; name the times, as in 'daily at 8 and 20'"
        ),
        (
            "daily at 8:00 and 20:30",
            "the times of a rule need the same minutes; add an item for each of these times, such as "
                + "'daily at 08:00' and 'daily at 20:30'"
        ),
        (
            "hourly at 8 and 20",
            "a rule within the day has its own times; name its hours, as in '2 hours from 9 to 18'"
        ),
        (
            "last weekday at 8 and 20",
            "such days can have only one time; add an item for each other time"
        ),
        ("9am", "'9am' does not name days; try 'every day 9am'"),
        ("daily at 8 and 8", "it names 08:00 twice; name each time once"),
        ("8:00 and 8am", "it names 08:00 twice; name each time once"),
        ("daily at 20 and 8 and 20", "it names 20:00 twice; name each time once"),
        (
            "3 days starting tomorrow",
            "'starting tomorrow' is not understood; name the first time as the due time, as in --due 'tomorrow'"
        ),
        (
            "day except sunday",
            "'except sunday' is not understood; name the remaining days, as in 'mon,tue,thu'"
        ),
        (
            "3 days after done",
            "'after done' is not understood; --after-done counts from when the item is done, as in '3 days'"
        ),
        ("30 feb", "Feb has 29 days, there is no day 30"),
        ("week on the 15th", "'FREQ=MONTHLY;BYMONTHDAY=15' is not a day of a week"),
        ("weekly on", "the end of the rule is missing; try 'week on mon' or 'month on the 15th'"),
        ("day for ever", "for 'ever': that is not a time span; try 'for 2 weeks' or '10 times'"),
        (
            "every other weekday",
            "'other weekday' is not understood; try 'day', '2 weeks', 'mon,wed', 'month', 'last friday', "
                + "or a rule such as FREQ=DAILY"
        ),
    ])
    func refusalSuggestsAcceptedRule(phrase: String, reason: String) {
        #expect(throws: RecurrenceError(reason: reason)) { try reading(phrase) }
    }
}
