import CivilTime
import Testing

@Suite struct CivilDateTests {
    @Test func everyDayOfFourCenturiesCountsUpByOne() throws {
        var previous = try #require(CivilDate(year: 1800, month: 1, day: 1))
        var weekday = previous.weekday.rawValue
        for _ in 0..<146_097 {
            let next = try #require(previous.adding(days: 1))
            #expect(next > previous)
            #expect(next.daysSince1970 == previous.daysSince1970 + 1)
            weekday = (weekday + 1) % 7
            #expect(next.weekday.rawValue == weekday)
            previous = next
        }
        #expect(previous == CivilDate(year: 2200, month: 1, day: 1))
    }

    @Test(arguments: [(1970, 1, 1, 0), (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896), (2000, 2, 29, 11_016)])
    func knownDaysHaveTheirNumbers(year: Int, month: Int, day: Int, days: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == days)
        #expect(CivilDate(daysSince1970: days) == date)
    }

    @Test(arguments: [
        (2026, 2, 29), (2026, 2, 30), (1900, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (0, 1, 1),
        (10_000, 1, 1),
    ])
    func nonexistentDaysAreNil(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func daysOutsideCalendarAreNil() {
        #expect(CivilDate.last.adding(days: 1) == nil)
        #expect(CivilDate.last.adding(months: 1) == nil)
        #expect(CivilDate(year: 1, month: 1, day: 1)?.adding(days: -1) == nil)
        #expect(CivilDate(year: 1, month: 1, day: 1)?.adding(months: -1) == nil)
        #expect(CivilDate.last.adding(days: .max) == nil)
    }

    @Test func monthArithmeticStopsAtEndOfMonth() {
        let end = CivilDate(year: 2026, month: 1, day: 31)
        #expect(end?.adding(months: 1) == CivilDate(year: 2026, month: 2, day: 28))
        #expect(end?.adding(months: 25) == CivilDate(year: 2028, month: 2, day: 29))
        #expect(end?.adding(months: -2) == CivilDate(year: 2025, month: 11, day: 30))
    }
}
