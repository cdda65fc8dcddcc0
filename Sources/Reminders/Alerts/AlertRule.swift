package import CivilTime
package import ObjectStore

/// Which items are to be told at a given moment.
package struct AlertRule: Sendable {
    /// How long before its due time an item is told.
    private let lead: Double
    /// The least time between two alerts of one item.
    private let quiet: Double
    private let predicate: FetchPredicate

    package init(lead: TimeSpan, quiet: TimeSpan) throws {
        self.lead = lead.seconds
        self.quiet = quiet.seconds
        predicate = try FetchPredicate(
            """
            completed == NO AND doNotAlert == NO AND dueDate >= $now AND dueDate <= $horizon \
            AND (lastAlertDate == nil OR lastAlertDate < $quietSince)
            """)
    }

    /// Fetches the items to be told at `now`, the one due first in front.
    package func request(now: Timestamp) -> FetchRequest<ToDo> {
        FetchRequest(
            matching: predicate.binding([
                "now": .date(now), "horizon": .date(now + lead), "quietSince": .date(now - quiet),
            ]),
            orderedBy: [FetchOrder("dueDate")])
    }

    /// Whether an item that was told at `moment` may be told again at `now`.
    package func isQuiet(sinceAlertAt moment: Timestamp, now: Timestamp) -> Bool {
        moment >= now - quiet
    }
}
