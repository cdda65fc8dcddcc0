import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Reminders

/// Compares rules of every kind, in zones with unusual clock changes, with an implementation that examines
/// every day.
@Suite struct RuleReferenceTests {
    /// More rules can be tested by hand: `TODOD_RULES=100000 swift test --filter RuleReferenceTests`.
    static let seeds: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["TODOD_RULES"].flatMap { UInt64($0) } ?? 200)
    private static let zones = [
        "UTC", "Europe/Madrid", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns",
        "Africa/Casablanca",
        "America/Santiago",
    ]

    @Test func nextOccurrenceAgreesWithReference() throws {
        for seed in Self.seeds { try look(seed) }
    }

    private func look(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let reference = RuleReference.random(&random)
        let name = try #require(Self.zones.randomElement(using: &random))
        let zone = try #require(TimeZoneRules(named: name))
        // From 2011, when Samoa skipped a day, to 2038.
        let day = try #require(CivilDate(daysSince1970: Int.random(in: 15_300...24_900, using: &random)))
        let start = zone.moment(
            of: CivilDateTime(day, secondOfDay: 60 * Int.random(in: 0..<1_440, using: &random)))
        let first = try #require(zone.civil(at: start))
        let last = try #require(day.adding(days: 366 * 9))
        let moments = reference.times(from: first, through: last).map(zone.moment)
        let rule: RecurrenceRule
        do {
            rule = try RecurrenceRule(reference.text)
        } catch {
            Issue.record("seed \(seed): \(reference.text): \(error)")
            return
        }
        for _ in 0..<6 {
            // The current due time, and the time of completion.
            let due = moments.prefix(60).randomElement(using: &random) ?? start
            let now = due + Double(Int.random(in: -100...1_000, using: &random)) * 86_400
            let ahead = moments.filter { $0 > max(due, now) }.min()
            guard let ahead else { continue }
            let passed = Set(moments.filter { $0 > due && $0 <= ahead }).count
            let found = rule.next(after: due, and: now, from: start, in: zone)
            if let count = reference.count, passed > count {
                #expect(found == nil, "seed \(seed): \(rule) in \(name)")
            } else {
                let expected = RecurrenceRule.Next(due: ahead, passed: reference.count == nil ? 1 : passed)
                let shown = { (moment: Timestamp?) in moment.flatMap { RFC3339.text($0, in: zone) } ?? "nil" }
                guard found == expected else {
                    Issue.record(
                        "seed \(seed): \(rule) from \(shown(start)) in \(name), due \(shown(due)), now \(shown(now)): \(shown(found?.due)) \(found?.passed ?? 0), expected \(shown(ahead)) \(passed)"
                    )
                    return
                }
            }
        }
    }
}
