package import CivilTime

/// Holds alerts back for a while, lets them through again, or says how it stands.
package enum Quiet: Method {
    package static let name = "Quiet"

    package struct Parameters: MessageBody {
        /// Typed text or RFC 3339.
        package var until: String?
        /// The IANA name of the zone in which `until` was typed.
        package var timeZone: String?
        /// Let alerts through.
        package var off: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
            try fields.field("off", &off)
        }
    }

    /// The times are nil when alerts are given.
    package struct Reply: MessageBody {
        package var since: Timestamp?
        package var until: Timestamp?
        /// The reading of the parameter `until` that was chosen, as in `AddItem`.
        package var note: String?

        package init() {}

        package init(since: Timestamp?, until: Timestamp?, note: String? = nil) {
            self.since = since
            self.until = until
            self.note = note
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("since", &since)
            try fields.field("until", &until)
            try fields.field("note", &note)
        }
    }
}
