package import CivilTime

/// Starts or ends a quiet period, or returns the current one.
package enum Quiet: Method {
    package static let name = "Quiet"

    package struct Parameters: MessageBody {
        /// The end of the quiet period, as typed text or in RFC 3339 form.
        package var until: String?
        /// The IANA name of the zone in which `until` was typed.
        package var timeZone: String?
        /// Whether to end the quiet period.
        package var off: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
            try fields.field("off", &off)
        }
    }

    /// The current quiet period. Its times are `nil` if there is none.
    package struct Reply: MessageBody {
        package var since: Timestamp?
        package var until: Timestamp?
        /// A note about the reading of the parameter `until`, as in `AddItem`.
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
