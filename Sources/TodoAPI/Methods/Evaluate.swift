package import CivilTime

/// Checks immediately for items that need an alert.
package enum Evaluate: Method {
    package static let name = "Evaluate"
    /// The maximum number of alerts in a reply. The reply gives the number of omitted alerts.
    package static let alertsLimit = 250
    /// The total size of names at which a reply ends. The last name may exceed it.
    package static let namesBytesLimit = 1 << 20

    package struct Parameters: MessageBody {
        /// Whether to only return the alerts without sending them.
        package var dryRun: Bool?

        package init() {}

        package init(dryRun: Bool) { self.dryRun = dryRun }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("dryRun", &dryRun)
        }
    }

    package struct Reply: MessageBody {
        /// The alerts, ordered by due time. Not all are included if there are too many.
        package var alerts: [AlertNotice] = []
        /// The end of the quiet period. Until then, only the most urgent alerts are sent.
        package var quietUntil: Timestamp?
        /// The number of omitted alerts, or `nil` for none.
        package var more: Int64?

        package init() {}

        package init(alerts: [AlertNotice], quietUntil: Timestamp?, more: Int64? = nil) {
            self.alerts = alerts
            self.quietUntil = quietUntil
            self.more = more
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("alerts", &alerts)
            try fields.field("quietUntil", &quietUntil)
            try fields.field("more", &more)
        }
    }
}
