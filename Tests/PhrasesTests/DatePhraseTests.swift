import CivilTime
import TestSupport
import Testing

@testable import Phrases

@Suite struct DatePhraseTests {
    private let now = RFC3339.moment(PhraseTable.now) ?? Timestamp(secondsSince1970: 0)
    private let zone = TimeZoneRules(named: PhraseTable.zone) ?? .utc
    private static let nineOClock = 9 * 3_600

    private func reading(
        _ text: String, _ use: PhraseTable.Use = .due, at time: String = PhraseTable.now
    ) throws -> DatePhrase.Reading {
        let now = try #require(RFC3339.moment(time))
        return switch use {
        case .due:
            try DatePhrase.reading(text, now: now, zone: zone, defaultTime: Self.nineOClock)
        case .snooze:
            try DatePhrase.reading(
                text, now: now, zone: zone, defaultTime: Self.nineOClock, purpose: .snooze)
        case .past: try DatePhrase.reading(text, now: now, zone: zone, defaultTime: 0, purpose: .past)
        case .filter:
            DatePhrase.Reading(moment: try DatePhrase.filterBound(text, now: now, zone: zone).moment)
        }
    }

    /// The moment as `Tue 24 Nov 2026 09:00`, with seconds if there are any.
    private func words(_ moment: Timestamp) throws -> String {
        let text = try #require(RFC3339.text(moment, in: zone))
        let civil = try #require(zone.civil(at: moment))
        let clock = text.dropFirst(11).prefix { $0 != "+" && $0 != "Z" }
        let time = clock.hasSuffix(":00") ? clock.dropLast(3) : clock
        return "\(civil.date.weekday.shortName) \(civil.date.words) \(time)"
    }

    /// A day in a filter of past times is the last one, and its end is included.
    @Test(arguments: [
        ("friday", "2026-11-20T00:00:00+01:00", "2026-11-21T00:00:00+01:00"),
        ("today", "2026-11-23T00:00:00+01:00", "2026-11-24T00:00:00+01:00"),
        ("2h", "2026-11-23T06:49:00+01:00", nil), ("20:00", "2026-11-22T20:00:00+01:00", nil),
    ])
    func boundOfPastFilterIsLastTime(text: String, begin: String, end: String?) throws {
        let bound = try DatePhrase.filterBound(text, now: now, zone: zone, purpose: .past)
        #expect(RFC3339.text(bound.moment, in: zone) == begin)
        #expect(bound.endOfDay.flatMap { RFC3339.text($0, in: zone) } == end)
    }

    // MARK: - The table

    /// The last second of the calendar in UTC is in the year 10000 on the clock of a zone ahead of it.
    @Test(arguments: ["9999-12-31T23:59:59Z", "until 9999-12-31T23:59:59Z"])
    func lastSecondOfCalendarIsRead(text: String) throws {
        let zone = try #require(TimeZoneRules(named: "Pacific/Auckland"))
        let now = try #require(RFC3339.moment("2026-11-23T08:49:00Z"))
        for purpose in [DatePhrase.Purpose.due, .snooze] {
            let reading = try DatePhrase.reading(
                text, now: now, zone: zone, defaultTime: 32_400, purpose: purpose)
            #expect(reading.moment.secondsSince1970 == 253_402_300_799)
        }
    }

    /// D1, D3, D4, D5, D6, D7, D11: Every phrase of the table has the reading and the note, or the error, that it
    /// states.
    @Test(arguments: try PhraseTable().rows)
    func phraseHasReadingOfTable(row: PhraseTable.Row) throws {
        // Variants in upper case and with other spacing.
        let spaced = "  \(row.phrase.split(separator: " ").joined(separator: " \t "))\n"
        for text in [row.phrase, row.phrase.uppercased(), spaced] {
            do {
                let reading = try reading(text, row.use, at: row.now)
                #expect(try words(reading.moment) == row.reading, "\(row)")
                #expect(reading.note == row.note, "\(row)")
            } catch let error as DatePhraseError {
                #expect(error.description == row.error, "\(row)")
            }
        }
    }

    /// D8: A correction that an error suggests is a time, and each reading of an ambiguous text is one.
    @Test func suggestionIsUnderstood() throws {
        var count = 0
        for row in try PhraseTable().rows where row.error != nil {
            do {
                _ = try reading(row.phrase, row.use, at: row.now)
            } catch let error as DatePhraseError {
                for text in error.similar {
                    count += 1
                    let moment = try reading(text, row.use, at: row.now).moment
                    // A due time and the end of a pause are refused if they are past.
                    let now = try #require(RFC3339.moment(row.now))
                    #expect(moment >= now || row.use == .filter || row.use == .past, "\(row): \(text)")
                }
            }
        }
        #expect(count > 20)
    }

    @Test func tableHasEachPhraseOnce() throws {
        let rows = try PhraseTable().rows
        let phrases = rows.map(\.description)
        #expect(Set(phrases).count == phrases.count)
        #expect(phrases.count > 400)
    }

    // MARK: - Clock changes

    @Test(arguments: [
        // A day keeps its local time over the change of 28 March.
        ("in 125 days", "2027-03-28T08:49:00+02:00"),
        // 02:30 occurs twice on 31 October.
        ("2027-10-31 02:30", "2027-10-31T02:30:00+02:00"), ("31 oct 02:30 CET", "2027-10-31T02:30:00+01:00"),
        ("31 oct 02:30 CEST", "2027-10-31T02:30:00+02:00"),
    ])
    func clockChangeKeepsLocalTime(text: String, moment: String) throws {
        #expect(RFC3339.text(try reading(text).moment, in: zone) == moment)
    }

    /// D11: The reading of a time that the clock change skips has a note. With a zone such a time is refused.
    @Test(arguments: ["28.3.2027 02:30", "2027-03-28T02:30", "sunday 28 mar 2027 2:30am"])
    func skippedTimeHasNote(text: String) throws {
        let reason = "02:30 does not exist on 28 Mar 2027, because the clocks go forward"
        for use in [PhraseTable.Use.due, .snooze] {
            let reading = try reading(text, use)
            #expect(reading.note == "\(reason); 03:30 is used")
            #expect(RFC3339.text(reading.moment, in: zone) == "2027-03-28T03:30:00+02:00")
        }
        #expect(throws: DatePhraseError(reason: reason)) { try reading("28 mar 02:30 CEST") }
        #expect(try reading("28 mar 2027 03:30").note == nil)
    }

    /// D11: The reading of a time that occurs twice has a note with the text for the second one.
    @Test func repeatedTimeHasNote() throws {
        let note = try #require(try reading("31 oct 02:30").note)
        #expect(
            note.hasPrefix(
                "02:30 occurs twice on 31 Oct 2027, because the clocks go back; the first one is used"))
        let second = try #require(note.split(separator: "'").last)
        let reading = try reading(String(second))
        #expect(RFC3339.text(reading.moment, in: zone) == "2027-10-31T02:30:00+01:00" && reading.note == nil)
        #expect(try self.reading("31 oct 03:30").note == nil)
    }

    /// In the repeated hour, a time without a day is the next one to come, even if it has passed once.
    @Test(arguments: [
        ("02:45", "02:32:00+01:00", "25T02:45:00+01:00"), ("02:45", "02:32:00+02:00", "25T02:45:00+02:00"),
        ("02:45", "02:50:00+02:00", "25T02:45:00+01:00"), ("02:45", "02:50:00+01:00", "26T02:45:00+01:00"),
        ("today 02:45", "02:32:00+01:00", "25T02:45:00+01:00"),
        ("03:15", "02:50:00+02:00", "25T03:15:00+01:00"),
    ])
    func timeInRepeatedHourIsNextOne(text: String, now: String, moment: String) throws {
        for use in [PhraseTable.Use.due, .snooze] {
            let reading = try reading(text, use, at: "2026-10-25T\(now)")
            #expect(RFC3339.text(reading.moment, in: zone) == "2026-10-\(moment)")
            let isSecond = moment == "25T02:45:00+01:00"
            #expect(reading.note?.contains("the second one is used") ?? false == isSecond)
        }
    }

    @Test func timeInRepeatedHourIsLastOneOfPast() throws {
        let reading = try reading("02:45", .past, at: "2026-10-25T02:32:00+01:00")
        #expect(RFC3339.text(reading.moment, in: zone) == "2026-10-25T02:45:00+02:00")
    }

    // MARK: - Lengths

    /// Only a clear length is one: the filters and `due` read other words in the same way.
    @Test func clearLengthsAreKnown() {
        for text in ["2h", "7d", "8h 30m", "in 14h", "1h30"] { #expect(DatePhrase.isLength(text), "\(text)") }
        for text in ["15h30", "8h30", "14h", "1530", "1700h", "1h,2h", "friday"] {
            #expect(!DatePhrase.isLength(text), "\(text)")
        }
    }

    // MARK: - Filters

    /// D2: A day as the bound of a filter lasts to the next midnight. A time has no such end.
    @Test(arguments: [
        ("friday", "Sat 28 Nov 2026 00:00"), ("today", "Tue 24 Nov 2026 00:00"),
        ("end of week", "Mon 30 Nov 2026 00:00"), ("28 mar 2027", "Mon 29 Mar 2027 00:00"),
        ("friday 9am", nil), ("tonight", nil), ("in 3 days", nil), ("eod", nil),
    ])
    func boundOfDayHasItsEnd(text: String, end: String?) throws {
        let bound = try DatePhrase.filterBound(text, now: now, zone: zone)
        #expect(try bound.endOfDay.map(words) == end)
    }

    // MARK: - Limits

    @Test func wordsWithoutDayAreKnown() {
        for text in ["18:00", "by 9am", "at 3", "half past 9"] { #expect(DatePhrase.namesNoDay(text)) }
        for text in ["friday", "tomorrow 9am", "in 2 hours", "", "soon"] {
            #expect(!DatePhrase.namesNoDay(text))
        }
    }

    @Test func lastDayOfCalendarIsRead() throws {
        #expect(try words(reading("9999-12-31 23:59").moment) == "Fri 31 Dec 9999 23:59")
        #expect(throws: DatePhraseError.self) { try reading("9999-12-31 + 1 day") }
        let bound = try DatePhrase.filterBound("9999-12-31", now: now, zone: zone)
        #expect(bound.endOfDay == bound.moment + 86_400)
    }
}
