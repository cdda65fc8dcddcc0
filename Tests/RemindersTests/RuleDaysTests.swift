import CivilTime
import TestSupport
import Testing

@testable import Reminders

/// The search for the first day of a rule, which precedes libical's search.
@Suite struct RuleDaysTests {
    private static let start = CivilDate(year: 2026, month: 11, day: 20) ?? .last
    private static let last = CivilDate(year: 2066, month: 12, day: 31) ?? .last

    private static let now = Timestamp(secondsSince1970: 1_795_194_000)

    /// The first occurrence of a rule, and the number of searches with libical for it.
    private func first(of rule: RecurrenceRule) throws -> (found: RecurrenceRule.Next?, searches: Int) {
        let start = try #require(TimeZoneRules.utc.civil(at: Self.now))
        let search = CountedSearch()
        let found = rule.next(after: Self.now - 1, and: Self.now - 1, from: start, in: .utc, search: search)
        return (found, search.count)
    }

    private final class CountedSearch: RuleSearch {
        private(set) var count = 0

        func forEachTime(
            of text: String, from start: CivilDateTime, near: CivilDateTime, until: CivilDateTime,
            _ body: (CivilDateTime) -> Bool
        ) {
            count += 1
            LibicalSearch().forEachTime(of: text, from: start, near: near, until: until, body)
        }
    }

    /// R5: A rule that never names a day is not passed to libical, which would search thousands of years for it.
    @Test(arguments: [
        "FREQ=MONTHLY;BYDAY=5MO,5TU,5WE,5TH,5FR,5SA,5SU;BYMONTHDAY=1", "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8,9,10,-1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-30", "FREQ=YEARLY;BYMONTH=4,6;BYDAY=5MO;BYMONTHDAY=31",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYDAY=MO", "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3",
        "FREQ=YEARLY;BYDAY=54MO", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=2MO;SKIP=BACKWARD",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=-1MO;BYMONTH=2,4;SKIP=FORWARD",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
    ])
    func ruleWithoutDayIsNotSearched(text: String) throws {
        let rule = try RecurrenceRule(text)
        #expect(RuleDays(of: rule, from: Self.start).first(from: Self.start, through: Self.last) == nil)
        let first = try first(of: rule)
        #expect(first.found == nil && first.searches == 0)
        #expect(rule.first(from: Self.now, in: .utc) == nil)
    }

    /// A rule that names a day is searched with libical.
    @Test(arguments: ["FREQ=DAILY", "FREQ=MONTHLY;BYDAY=5MO", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"])
    func ruleWithDayIsSearched(text: String) throws {
        let rule = try RecurrenceRule(text)
        let first = try first(of: rule)
        #expect(first.searches > 0)
        #expect(first.found?.due == rule.first(from: Self.now, in: .utc) && first.found != nil)
    }

    /// The start is Friday, 20 November 2026.
    @Test(arguments: [
        ("FREQ=MONTHLY", "2026-11-20"), ("FREQ=YEARLY", "2026-11-20"), ("FREQ=DAILY", "2026-11-20"),
        ("FREQ=WEEKLY;BYDAY=MO", "2026-11-23"), ("FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1", "2027-04-01"),
        ("FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=1", "2026-12-01"),
        ("FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=29", "2032-02-29"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2026-11-27"), ("FREQ=YEARLY;BYDAY=1MO", "2027-01-04"),
        ("FREQ=YEARLY;BYDAY=53MO", "2029-12-31"), ("FREQ=YEARLY;BYYEARDAY=-1", "2026-12-31"),
        ("FREQ=YEARLY;BYYEARDAY=366", "2028-12-31"), ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2027-08-13"),
        ("RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;SKIP=BACKWARD", "2027-02-28"),
        ("RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2;SKIP=FORWARD", "2027-03-01"),
    ])
    func firstDayIsFound(text: String, expected: String) throws {
        let found = RuleDays(of: try RecurrenceRule(text), from: Self.start).first(
            from: Self.start, through: Self.last)
        let numbers = expected.split(separator: "-").compactMap { Int($0) }
        #expect(found == CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]))
    }

    /// Rules by month and by year, including many that rarely or never name a day.
    @Test func firstDayAgreesWithReference() throws {
        var found = 0
        var missing = 0
        for seed in 1...UInt64(80) {
            var random = SplitMix(state: seed)
            var rule = RuleReference.random(&random)
            guard rule.frequency == .monthly || rule.frequency == .yearly else { continue }
            rule.positions = []
            rule.skipsBackward = false
            if seed % 2 == 0 {
                rule.interval = Int.random(in: 1...12, using: &random)
                rule.months = [Int.random(in: 1...12, using: &random)]
                if rule.weekdays.isEmpty { rule.monthDays = [Int.random(in: 29...31, using: &random)] }
            }
            let day = try #require(CivilDate(daysSince1970: Int.random(in: 15_300...24_900, using: &random)))
            let last = try #require(day.adding(days: 366 * 9))
            let expected = rule.times(from: CivilDateTime(day, secondOfDay: 0), through: last).map(\.date)
                .min()
            let text = rule.text
            let first = RuleDays(of: RecurrenceRule(checked: text), from: day).first(from: day, through: last)
            #expect(first == expected, "seed \(seed): \(text) from \(day)")
            found += first == nil ? 0 : 1
            missing += first == nil ? 1 : 0
        }
        #expect(found > 10 && missing > 2)
    }
}
