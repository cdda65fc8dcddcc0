package import CivilTime
internal import ObjectStore

/// The prepared fetches of the minute check.
///
/// Only the values of their variables change from one check to the next.
package struct AlertFetches {
    private struct Fetches {
        let items: PreparedFetch
        let alarms: PreparedFetch
    }

    private let rows: AlertRows
    private let all: Fetches
    private let urgent: Fetches

    package init(_ rule: AlertRule, _ rows: AlertRows) throws {
        let fetches = { (requests: AlertRule.Requests) in
            Fetches(
                items: try rows.prepare(requests.items), alarms: try rows.prepare(requests.alarms))
        }
        self.rows = rows
        all = try fetches(rule.allRequests)
        urgent = try fetches(rule.urgentRequests)
    }

    /// Returns the items with a due alert, in no order.
    ///
    /// - Parameter lowestPriority: the lowest priority of the items to return, or `nil` for all items.
    package func entries(
        at now: Timestamp, _ settings: AlertSettings, lowestPriority: Int16? = nil
    ) throws -> [AlertRows.Entry] {
        let values = AlertRule.values(now: now, settings, lowestPriority: lowestPriority)
        let fetches = lowestPriority == nil ? all : urgent
        return try rows.entries(
            items: fetches.items, alarms: fetches.alarms, values: values, settings: settings)
    }
}
