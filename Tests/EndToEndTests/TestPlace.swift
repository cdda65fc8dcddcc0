import CivilTime
import Foundation

/// The date, the time zone and the language of the programs under test.
///
/// They are chosen by the environment of the test run: `TODOD_TEST_NOW`, `TODOD_TEST_ZONE` and `TODOD_TEST_LOCALE`.
/// The defaults do not depend on the machine.
struct TestPlace {
    /// The time at which a test begins.
    let now: Timestamp
    /// A name such as `Europe/Berlin`.
    let zoneName: String
    /// The value of `LANG`, or `nil` for none.
    let locale: String?

    /// - Parameter now: with an offset, such as `2026-11-18T10:20:00Z`, or without one, in the zone.
    init(now: String, zone: String, locale: String?) {
        guard let rules = TimeZoneRules(named: zone) else { fatalError("TODOD_TEST_ZONE: no zone '\(zone)'") }
        guard let moment = RFC3339.moment(now) ?? Self.local(now, rules) else {
            fatalError("TODOD_TEST_NOW: no time '\(now)', such as 2026-11-18T10:20:00Z")
        }
        (self.now, zoneName, self.locale) = (moment, zone, locale)
    }

    static let current: TestPlace = {
        let environment = ProcessInfo.processInfo.environment
        return TestPlace(
            now: environment["TODOD_TEST_NOW"] ?? "2026-11-18T10:20:00Z",
            zone: environment["TODOD_TEST_ZONE"] ?? "UTC", locale: environment["TODOD_TEST_LOCALE"])
    }()

    private static func local(_ text: String, _ zone: TimeZoneRules) -> Timestamp? {
        guard let asUTC = RFC3339.moment("\(text)Z"), let civil = TimeZoneRules.utc.civil(at: asUTC) else {
            return nil
        }
        return zone.moment(of: civil)
    }
}
