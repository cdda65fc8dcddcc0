package import CivilTime

/// Looks at once for what is to be told.
package enum Evaluate: Method {
    package static let name = "Evaluate"
    /// A reply names no more alerts than these, and says how many there are besides.
    package static let alertsLimit = 250
    /// Nor does it go on behind the alert with which the names are longer than this.
    package static let namesBytesLimit = 1 << 20

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
        /// The first of them by due time.
        package var alerts: [AlertNotice] = []
        /// Alerts are held back until then, but for the most urgent.
        package var quietUntil: Timestamp?
        /// How many alerts there are besides; nil for none.
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
