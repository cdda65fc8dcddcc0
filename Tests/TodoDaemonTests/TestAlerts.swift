import CivilTime
import Reminders

@testable import Alerts

/// Friday 2026-11-20 17:00 UTC.
let testMoment = Timestamp(secondsSince1970: 1_795_194_000)

extension Alert {
    /// Returns an alert with defaults for everything that a test does not need.
    static func test(
        _ name: String = "Pay the rent", kind: Kind = .dueSoon, id: Int64 = 1, dueIn seconds: Double? = 300,
        category: String? = nil, priority: Int16 = 0
    ) -> Alert {
        Alert(
            kind: kind, itemID: id, uid: "uid-\(id)", name: name, due: seconds.map { testMoment + $0 },
            category: category, priority: priority)
    }
}

extension AlertBatch {
    static func test(_ alerts: Alert..., delayedSince: Timestamp? = nil) -> AlertBatch {
        AlertBatch(alerts, at: testMoment, delayedSince: delayedSince)
    }

    /// Returns this many alerts, one second apart.
    static func test(count: Int, delayedSince: Timestamp? = nil) -> AlertBatch {
        let alerts = (0..<count).map {
            Alert.test("item \($0)", id: Int64($0), dueIn: Double($0))
        }
        return AlertBatch(alerts, at: testMoment, delayedSince: delayedSince)
    }
}
