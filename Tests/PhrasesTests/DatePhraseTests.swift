import CivilTime
import Testing

@testable import Phrases

@Suite struct DatePhraseTests {
    /// Friday 2026-11-20 16:57 in Madrid.
    private let now = RFC3339.moment("2026-11-20T16:57:00+01:00") ?? Timestamp(secondsSince1970: 0)
    private let madrid = TimeZoneRules(named: "Europe/Madrid") ?? .utc

    private func read(_ text: String) throws -> String? {
        RFC3339.text(try DatePhrase.moment(text, now: now, zone: madrid, defaultTime: 9 * 3_600), in: madrid)
    }

    @Test(arguments: [
        ("now", "2026-11-20T16:57:00+01:00"), ("tomorrow", "2026-11-21T09:00:00+01:00"),
        ("tomorrow 9am", "2026-11-21T09:00:00+01:00"),
        ("the day after tomorrow at 9am", "2026-11-22T09:00:00+01:00"),
        ("on friday", "2026-11-27T09:00:00+01:00"), ("this friday 17:30", "2026-11-20T17:30:00+01:00"),
        ("on 1 dec", "2026-12-01T09:00:00+01:00"), ("next year", "2027-11-20T09:00:00+01:00"),
        ("end of year 18:00", "2026-12-31T18:00:00+01:00"),
        ("9am tomorrow", "2026-11-21T09:00:00+01:00"), ("Tomorrow at 9:30 PM", "2026-11-21T21:30:00+01:00"),
        ("in 2 hours", "2026-11-20T18:57:00+01:00"), ("+2h", "2026-11-20T18:57:00+01:00"),
        ("+2h30m", "2026-11-20T19:27:00+01:00"),
        ("10m", "2026-11-20T17:07:00+01:00"), ("in 20 minutes", "2026-11-20T17:17:00+01:00"),
        ("in an hour", "2026-11-20T17:57:00+01:00"), ("half an hour", "2026-11-20T17:27:00+01:00"),
        ("in half an hour", "2026-11-20T17:27:00+01:00"), ("in half a day", "2026-11-21T04:57:00+01:00"),
        ("in 3 days at 9am", "2026-11-23T09:00:00+01:00"), ("in 2w 18:00", "2026-12-04T18:00:00+01:00"),
        ("9am in a month", "2026-12-20T09:00:00+01:00"), ("in 3 days", "2026-11-23T16:57:00+01:00"),
        ("by friday", "2026-11-27T09:00:00+01:00"), ("by tomorrow 9am", "2026-11-21T09:00:00+01:00"),
        ("in 1h and 30 min", "2026-11-20T18:27:00+01:00"), ("next friday", "2026-11-27T09:00:00+01:00"),
        ("friday 15:30", "2026-11-27T15:30:00+01:00"), ("friday 17:30", "2026-11-20T17:30:00+01:00"),
        ("tonight", "2026-11-20T20:00:00+01:00"), ("tonight 9pm", "2026-11-20T21:00:00+01:00"),
        ("today 17:00", "2026-11-20T17:00:00+01:00"), ("next friday 9am", "2026-11-27T09:00:00+01:00"),
        ("next friday 17:30", "2026-11-27T17:30:00+01:00"), ("mon", "2026-11-23T09:00:00+01:00"),
        ("2026-12-24T18:00", "2026-12-24T18:00:00+01:00"),
        ("2026-12-24 18:00", "2026-12-24T18:00:00+01:00"), ("2026-12-24", "2026-12-24T09:00:00+01:00"),
        ("2026-12-24T18:00Z", "2026-12-24T19:00:00+01:00"),
        (" 2026-12-24  18:00z ", "2026-12-24T19:00:00+01:00"),
        ("2026-12-24T18:00+0200", "2026-12-24T17:00:00+01:00"),
        ("2026-12-24 18:00:30-01", "2026-12-24T20:00:30+01:00"), ("noon", "2026-11-21T12:00:00+01:00"),
        ("17:00", "2026-11-20T17:00:00+01:00"),
        ("tomorrow at 9", "2026-11-21T09:00:00+01:00"), ("at 17", "2026-11-20T17:00:00+01:00"),
        ("at 9 tomorrow", "2026-11-21T09:00:00+01:00"), ("at 9 pm", "2026-11-20T21:00:00+01:00"),
        ("tomorrow morning", "2026-11-21T09:00:00+01:00"), ("this evening", "2026-11-20T20:00:00+01:00"),
        ("friday evening", "2026-11-20T20:00:00+01:00"), ("friday afternoon", "2026-11-27T15:00:00+01:00"),
        ("tomorrow evening at 8", "2026-11-21T20:00:00+01:00"),
        ("tonight at 8", "2026-11-20T20:00:00+01:00"), ("at 8:30 tonight", "2026-11-20T20:30:00+01:00"),
        ("tonight 21:15", "2026-11-20T21:15:00+01:00"),
        ("tomorrow 8 in the evening", "2026-11-21T20:00:00+01:00"),
        ("7:30 in the morning tomorrow", "2026-11-21T07:30:00+01:00"),
        ("noon in the afternoon", "2026-11-21T12:00:00+01:00"),
        ("24 dec in the evening", "2026-12-24T20:00:00+01:00"),
        ("dec 24 evening", "2026-12-24T20:00:00+01:00"),
        ("in the evening", "2026-11-20T20:00:00+01:00"), ("in the morning", "2026-11-21T09:00:00+01:00"),
        ("tomorrow in the afternoon", "2026-11-21T15:00:00+01:00"),
        ("this morning", "2026-11-20T09:00:00+01:00"),
        ("tomorrow night", "2026-11-21T20:00:00+01:00"), ("monday at night", "2026-11-23T20:00:00+01:00"),
        ("24.12.", "2026-12-24T09:00:00+01:00"), ("on 1.11. at 18", "2027-11-01T18:00:00+01:00"),
        ("24.12.2026 18:00", "2026-12-24T18:00:00+01:00"), ("29.2.", "2028-02-29T09:00:00+01:00"),
        ("9:30", "2026-11-21T09:30:00+01:00"), ("today 23:59", "2026-11-20T23:59:00+01:00"),
        ("end of month", "2026-11-30T09:00:00+01:00"),
        ("1 dec 18:00", "2026-12-01T18:00:00+01:00"), ("dec 1", "2026-12-01T09:00:00+01:00"),
        ("1 nov", "2027-11-01T09:00:00+01:00"),
        ("29 feb", "2028-02-29T09:00:00+01:00"), ("1st march 2027", "2027-03-01T09:00:00+01:00"),
        ("12am", "2026-11-21T00:00:00+01:00"),
        ("in 1 month", "2026-12-20T16:57:00+01:00"), ("yesterday 10:00", "2026-11-19T10:00:00+01:00"),
        ("1min 30s", "2026-11-20T16:58:30+01:00"),
        // Over the change of the clocks on 28 March a day keeps its time on the wall.
        ("in 128 days", "2027-03-28T16:57:00+02:00"),
        // 02:30 does not exist that night.
        ("2027-03-28 02:30", "2027-03-28T03:30:00+02:00"),
    ])
    func reads(text: String, moment: String) throws {
        #expect(try read(text) == moment)
    }

    @Test(arguments: [
        ("", "no time given"), ("soon", "cannot make sense of 'soon'"),
        ("2026-02-30", "February 2026 has 28 days, there is no day 30"),
        ("2026-13-01", "there is no month 13"), ("25:61", "there is no time of day '25:61'"),
        ("13pm", "there is no time of day '13pm'"),
        ("tomorrow 9am please", "cannot make sense of 'please'"),
        ("on", "cannot make sense of 'on'"),
        ("tomorrow friday", "cannot make sense of 'friday'"),
        ("9am 10am", "cannot make sense of '10am'"), ("10", "cannot make sense of '10'"),
        ("in a while", "'a while' is no length of time"), ("by", "cannot make sense of 'by'"),
        ("at 24", "there is no time of day '24'"), ("tomorrow 9", "cannot make sense of '9'"),
        ("morning evening", "cannot make sense of 'evening'"),
        ("tonight at 9am", "there is no time of day '9am' in the evening"),
        ("9am in the evening", "there is no time of day '9am' in the evening"),
        ("2 at night", "there is no time of day '2' in the night"),
        ("12 in the morning", "there is no time of day '12' in the morning"),
        ("at", "cannot make sense of 'at'"),
        ("12/24", "'12/24' does not say which of its numbers is the month"),
        ("1/2/2027", "'1/2/2027' does not say which of its numbers is the month"),
        ("24.12", "cannot make sense of '24.12'"), ("24.13.", "there is no month 13"),
        ("31.4.", "April has 30 days, there is no day 31"),
        ("30.2.2027", "February 2027 has 28 days, there is no day 30"),
        ("1.2.27", "cannot make sense of '1.2.27'"), ("in the", "'the' is no length of time"),
        ("in 2 hours at 9am", "'2 hours at 9am' is no length of time"),
        ("in 3 days friday", "cannot make sense of 'friday'"),
        ("in 3 days in 2 days", "cannot make sense of 'in 2 days'"),
        ("half a month", "cannot make sense of 'half a month'"),
        ("in 9999 years 9am", "that lies outside the years 1 to 9999"),
        ("31 apr", "April has 30 days, there is no day 31"),
        ("10000-01-01", "cannot make sense of '10000-01-01'"),
        ("0000-01-01", "the year 0 is outside 1 to 9999"),
        ("in 9999 years", "that lies outside the years 1 to 9999"),
        ("-5 min", "cannot make sense of '-5 min'"), ("1 dec +123", "cannot make sense of '+123'"),
        ("2026-12-24T18:00+25:00", "cannot make sense of '18:00+25:00'"),
    ])
    func refuses(text: String, reason: String) {
        #expect(throws: DatePhraseError(reason: reason)) { try read(text) }
    }

    /// D2: A day as the bound of a filter is its midnight, in the past or in the future.
    @Test(arguments: [
        ("friday", "2026-11-20"), ("this friday", "2026-11-20"), ("next friday", "2026-11-27"),
        ("saturday", "2026-11-21"), ("today", "2026-11-20"), ("20 nov", "2026-11-20"),
        ("19 nov", "2026-11-19"), ("1.6.", "2026-06-01"), ("1 may", "2027-05-01"),
        ("29 feb", "2028-02-29"), ("2026-01-02", "2026-01-02"), ("yesterday", "2026-11-19"),
    ])
    func dayAsFilterBoundIsItsMidnight(text: String, day: String) throws {
        let bound = try DatePhrase.filterBound(text, now: now, zone: madrid)
        let date = try #require(madrid.civil(at: bound.moment))
        #expect(RFC3339.text(bound.moment, in: madrid)?.hasPrefix("\(day)T00:00:00") == true)
        let next = try #require(date.date.adding(days: 1))
        #expect(bound.endOfDay == madrid.moment(of: CivilDateTime(next, secondOfDay: 0)))
    }

    /// D2: A time as the bound of a filter is today's, unless a day is named.
    @Test(arguments: [
        ("9:00", "2026-11-20T09:00:00+01:00"), ("18:00", "2026-11-20T18:00:00+01:00"),
        ("friday 9am", "2026-11-20T09:00:00+01:00"), ("this morning", "2026-11-20T09:00:00+01:00"),
        ("in 2 hours", "2026-11-20T18:57:00+01:00"), ("now", "2026-11-20T16:57:00+01:00"),
    ])
    func timeAsFilterBoundIsOfTheDayNamed(text: String, moment: String) throws {
        let bound = try DatePhrase.filterBound(text, now: now, zone: madrid)
        #expect(RFC3339.text(bound.moment, in: madrid) == moment)
        #expect(bound.endOfDay == nil)
    }

    /// D3: An hour from 1 to 6 without am or pm is one of the afternoon, unless a zero is typed.
    @Test(arguments: [
        ("friday at 3", "2026-11-27T15:00:00+01:00"), ("tomorrow at 1", "2026-11-21T13:00:00+01:00"),
        ("tomorrow 6:30", "2026-11-21T18:30:00+01:00"), ("tomorrow at 7", "2026-11-21T07:00:00+01:00"),
        ("tomorrow 0:30", "2026-11-21T00:30:00+01:00"), ("tomorrow 03:00", "2026-11-21T03:00:00+01:00"),
        ("tomorrow at 03", "2026-11-21T03:00:00+01:00"), ("tomorrow 3am", "2026-11-21T03:00:00+01:00"),
        ("tomorrow 3:30 am", "2026-11-21T03:30:00+01:00"), ("tomorrow at 12", "2026-11-21T12:00:00+01:00"),
        ("tomorrow 3 in the morning", "2026-11-21T03:00:00+01:00"),
    ])
    func earlyHourIsOfTheAfternoon(text: String, moment: String) throws {
        #expect(try read(text) == moment)
    }

    /// D4: A date of today stays today after its time, as `today` does.
    @Test(arguments: [
        ("20 nov 8am", "2026-11-20T08:00:00+01:00"), ("20.11. 16:00", "2026-11-20T16:00:00+01:00"),
    ])
    func dateOfTodayDoesNotMoveToNextYear(text: String, moment: String) throws {
        #expect(try read(text) == moment)
    }
}
