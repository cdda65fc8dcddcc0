import CivilTime
import Testing

@Suite struct RFC3339Tests {
    @Test(arguments: [
        ("2026-11-21T09:00:00+01:00", 1_795_248_000.0), ("2026-11-21T08:00:00Z", 1_795_248_000),
        ("2026-11-21 08:00Z", 1_795_248_000), ("1969-12-31T23:59:59.5Z", -0.5),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func textIsRead(text: String, seconds: Double) {
        #expect(RFC3339.moment(text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T09:00:00", "2026-02-30T09:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T09:60:00Z",
        "2026-11-21T09:00:00+1:00", "2026-11-21T09:00:00Z ", "2026-11-21T09:00:00.Z", "26-11-21T09:00:00Z",
        "２026-11-21T09:00:00Z",
    ])
    func malformedTextIsRefused(text: String) {
        #expect(RFC3339.moment(text) == nil)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59.5Z"), (0.9999999, "1970-01-01T00:00:01Z"),
        (1.25, "1970-01-01T00:00:01.25Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
    func momentIsWritten(seconds: Double, text: String) {
        #expect(RFC3339.text(Timestamp(secondsSince1970: seconds)) == text)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z"), (1.25, "1970-01-01T00:00:01.25Z"),
        (1_795_248_000.1234567, "2026-11-21T08:00:00.1234567Z"), (-0.25, "1969-12-31T23:59:59.75Z"),
        (1_795_248_000.9999998, "2026-11-21T08:00:00.9999998Z"),
    ])
    func exactTextReadsBack(seconds: Double, text: String) {
        #expect(RFC3339.text(Timestamp(secondsSince1970: seconds), isExact: true) == text)
        #expect(RFC3339.moment(text)?.secondsSince1970 == seconds)
    }

    @Test func everyMomentReadsBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let seconds = Double.random(in: -62_135_596_800..<253_402_300_799, using: &generator)
            let text = RFC3339.text(Timestamp(secondsSince1970: seconds), isExact: true) ?? ""
            #expect(RFC3339.moment(text)?.secondsSince1970 == seconds, "\(text)")
        }
    }

    /// A clock caches the minutes that it wrote. The result must not depend on the cache.
    @Test func clockAgreesWithZone() throws {
        let zone = try #require(TimeZoneRules(named: "Europe/Berlin"))
        var clock = RFC3339.Clock(zone)
        // Around the last Sunday of March 2026, when the clocks go forward from 2:00 to 3:00, at 1:00 UTC.
        let midnight = 1_774_738_800.0
        for step in 0..<2_000 {
            let moment = Timestamp(secondsSince1970: midnight + Double(step * 7_919 % 260_000) - 86_400)
            let civil = try #require(zone.civil(at: moment))
            let numbers = [
                civil.date.year, civil.date.month, civil.date.day, civil.hour, civil.minute, civil.second,
                zone.offset(at: moment) / 3_600, 0,
            ]
            let text = String(unsafeUninitializedCapacity: RFC3339.mostBytes) {
                clock.write(moment, to: $0) ?? 0
            }
            #expect(text.split { !$0.isNumber }.map { Int($0) } == numbers, "\(text)")
            #expect(RFC3339.moment(text) == moment)
        }
    }

    /// T1: The offsets of some places once included seconds: Berlin was at +0:53:28 until 1893, and Monrovia at
    /// -0:44:30 until 1972. The format has offsets in whole minutes, and the text means the same moment.
    @Test(arguments: [("Europe/Berlin", -2_422_054_408), ("Africa/Monrovia", 63_593_070)])
    func offsetWithSecondsIsWrittenInWholeMinutes(_ name: String, _ change: Int) throws {
        let zone = try #require(TimeZoneRules(named: name))
        var clock = RFC3339.Clock(zone)
        // The moments also go backwards: a minute that is cached after the change must not be used before it.
        for step in Array(-150..<150) + (-150..<150).reversed() {
            let moment = Timestamp(secondsSince1970: Double(change + step))
            let text = String(unsafeUninitializedCapacity: RFC3339.mostBytes) {
                clock.write(moment, to: $0) ?? 0
            }
            #expect(RFC3339.moment(text) == moment, "\(text)")
            let shown = try #require(RFC3339.moment(text.prefix(19) + "Z"))
            #expect(abs(shown - moment - Double(zone.offset(at: moment))) < 60, "\(text)")
        }
    }

    /// T1: A time within the calendar is written in every zone.
    @Test(arguments: [
        ("Pacific/Auckland", 253_402_300_799.0, "9999-12-31T23:59:59Z"),
        ("Pacific/Auckland", 253_402_254_000, "9999-12-31T11:00:00Z"),
        ("Pacific/Auckland", 253_402_253_999, "9999-12-31T23:59:59+13:00"),
        ("America/St_Johns", -62_135_596_800, "0001-01-01T00:00:00Z"),
    ])
    func timeOutsideTheYearsOfTheZoneIsWrittenInUTC(name: String, seconds: Double, text: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        for isExact in [false, true] {
            #expect(
                RFC3339.text(Timestamp(secondsSince1970: seconds), in: zone, isExact: isExact) == text)
        }
    }

    /// The last text is cached, too. A moment outside the format in between must not get the cached text.
    @Test func repeatedMomentIsWrittenTheSame() throws {
        let zone = try #require(TimeZoneRules(named: "Asia/Kolkata"))
        var clock = RFC3339.Clock(zone)
        let moments = [1_774_738_800.0, 1_774_738_800.25, 1_774_738_800.123456, 1e300, -1]
        for seconds in moments.flatMap({ [$0, $0] }) + moments {
            let moment = Timestamp(secondsSince1970: seconds)
            var count: Int?
            let text = String(unsafeUninitializedCapacity: RFC3339.mostBytes) {
                count = clock.write(moment, to: $0)
                return count ?? 0
            }
            #expect(count.map { _ in text } == RFC3339.text(moment, in: zone))
        }
    }

    @Test func momentOutsideFormatIsNil() {
        #expect(RFC3339.text(Timestamp(secondsSince1970: .infinity)) == nil)
        #expect(RFC3339.text(Timestamp(secondsSince1970: 253_402_300_800)) == nil)
        #expect(RFC3339.text(Timestamp(secondsSince1970: -62_135_596_801)) == nil)
        #expect(RFC3339.text(Timestamp(secondsSince1970: 1e300)) == nil)
    }
}

@Suite struct TimeSpanTests {
    @Test(arguments: [
        (300, "5min"), (90, "1min 30s"), (129_600, "1d 12h"), (0, "0"), (5_184_000, "8w 4d"),
    ])
    func timeSpanIsWrittenInUnits(seconds: Int, written: String) {
        #expect(TimeSpan.seconds(seconds).description == written)
        #expect(TimeSpan(microseconds: 1_500_000).description == "1s 500ms")
    }
}

@Suite struct TimeInWordsTests {
    // Friday 2026-11-20 17:00 UTC
    private let words = TimeInWords(now: Timestamp(secondsSince1970: 1_795_194_000), zone: .utc)

    @Test(arguments: [
        ("2026-11-20T18:05:00Z", "today 18:05", "in 65 min"),
        ("2026-11-21T09:00:00Z", "tomorrow Sat 21 Nov 09:00", "in 16 h"),
        ("2026-11-19T09:00:00Z", "yesterday Thu 19 Nov 09:00", "32 h ago"),
        ("2026-12-24T18:00:00Z", "Thu 24 Dec 18:00", "in 5 weeks"),
        ("2027-01-01T00:00:00Z", "Fri 1 Jan 2027 00:00", "in 6 weeks"),
        ("2026-11-22T06:00:00Z", "Sun 22 Nov 06:00", "in 37 h"),
        ("2026-11-20T18:30:00Z", "today 18:30", "in 90 min"),
        ("2026-11-20T18:58:00Z", "today 18:58", "in 2 h"),
        ("2026-11-22T16:00:00Z", "Sun 22 Nov 16:00", "in 2 days"),
        ("2026-11-20T17:00:00Z", "today 17:00", "now"), ("2026-11-20T17:01:30Z", "today 17:01", "in 2 min"),
        ("2026-11-20T16:59:20Z", "today 16:59", "40 s ago"),
    ])
    func momentAndDistanceAreInWords(moment: String, inWords: String, distance: String) throws {
        let moment = try #require(RFC3339.moment(moment))
        #expect(words.moment(moment) == inWords)
        #expect(words.distance(to: moment) == distance)
    }
}
