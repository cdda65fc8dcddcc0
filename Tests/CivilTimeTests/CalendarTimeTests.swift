import CivilTime
import Testing

@Suite struct CalendarTimeTests {
    private let berlin = TimeZoneRules(named: "Europe/Berlin") ?? .utc

    @Test(arguments: ["2026-11-27", "2026-11-27T20:00:00", "2026-11-27T20:00:00+01:00"])
    func textReadsBack(text: String) throws {
        let time = try #require(CalendarTime(text))
        #expect(time.text(in: berlin) == text)
    }

    @Test(arguments: ["", "2026-02-29", "2026-11-27T20:00", "20261127", "2026-11-27T24:00:00", "friday"])
    func otherTextIsNoTime(text: String) { #expect(CalendarTime(text) == nil) }

    @Test func dateEndsWithItsLastSecond() throws {
        // The clocks go back in the night before, so the day has 25 hours.
        let date = try #require(CalendarTime("2026-10-25"))
        #expect(RFC3339.text(date.moment(in: berlin), in: berlin) == "2026-10-25T23:59:59+01:00")
        let first = try #require(LocalTime("2026-10-25")).firstMoment(in: berlin)
        #expect(RFC3339.text(first, in: berlin) == "2026-10-25T00:00:00+02:00")
    }

    /// The clocks go back to 23:00 at the end of the day.
    @Test func dateEndsAfterTheRepeatedHour() throws {
        let cairo = try #require(TimeZoneRules(named: "Africa/Cairo"))
        let date = try #require(CalendarTime("2027-10-28"))
        #expect(RFC3339.text(date.moment(in: cairo), in: cairo) == "2027-10-28T23:59:59+02:00")
    }

    @Test func floatingTimeIsAnotherMomentInEachZone() throws {
        let time = try #require(CalendarTime("2026-11-27T20:00:00"))
        let newYork = try #require(TimeZoneRules(named: "America/New_York"))
        #expect(time.moment(in: newYork) - time.moment(in: berlin) == 6 * 3_600)
    }

    @Test(arguments: [
        ("2026-11-26", "today", "today"), ("2026-11-27", "tomorrow", "tomorrow"),
        ("2026-11-25", "yesterday", "yesterday"), ("2026-11-30", "Mon 30 Nov", "in 4 days"),
        ("2026-11-16", "Mon 16 Nov", "10 days ago"), ("2027-01-01", "Fri 1 Jan 2027", "in 5 weeks"),
    ])
    func dateIsShownWithoutTime(text: String, short: String, distance: String) throws {
        let now = try #require(RFC3339.moment("2026-11-26T23:30:00+01:00"))
        let words = TimeInWords(now: now, zone: berlin)
        let date = try #require(CalendarTime(text))
        #expect(words.shortMoment(date) == short)
        #expect(words.distance(to: date) == distance)
    }
}
