package import CivilTime
internal import ObjectStore

/// A look at the items whose time has come, prepared: from one minute to the next nothing changes in it but the time.
package struct AlertLook {
    private struct Fetches {
        let items: PreparedFetch
        let alarms: PreparedFetch
    }

    private let records: AlertRecords
    private let all: Fetches
    private let urgent: Fetches

    package init(_ rule: AlertRule, _ records: AlertRecords) throws {
        let fetches = { (requests: AlertRule.Requests) in
            Fetches(
                items: try records.prepare(requests.items), alarms: try records.prepare(requests.alarms))
        }
        self.records = records
        all = try fetches(rule.allRequests)
        urgent = try fetches(rule.urgentRequests)
    }

    /// The items to look at, in no order.
    ///
    /// - Parameter lowestPriority: only items of this priority or a more urgent one; nil for all.
    package func entries(
        at now: Timestamp, _ settings: AlertSettings, lowestPriority: Int16? = nil
    ) throws -> [AlertRecords.Entry] {
        let values = AlertRule.values(now: now, settings, lowestPriority: lowestPriority)
        let fetches = lowestPriority == nil ? all : urgent
        return try records.entries(fetches.items, fetches.alarms, values, settings)
    }
}
