package import CivilTime

/// Looks at once for what is to be told.
package enum Evaluate: Method {
    package static let name = "Evaluate"

    package struct Parameters: MessageBody {
        /// Only say what would be told.
        package var dryRun: Bool?

        package init() {}

        package init(dryRun: Bool) { self.dryRun = dryRun }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("dryRun", &dryRun)
        }
    }

    package struct Reply: MessageBody {
        package var alerts: [AlertNotice] = []
        /// Alerts are held back until then, but for the most urgent.
        package var quietUntil: Timestamp?

        package init() {}

        package init(alerts: [AlertNotice], quietUntil: Timestamp?) {
            self.alerts = alerts
            self.quietUntil = quietUntil
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("alerts", &alerts)
            try fields.field("quietUntil", &quietUntil)
        }
    }
}
