/// Delays the alerts of items until a time, or ends the delay.
package enum SnoozeItems: Method {
    package static let name = "SnoozeItems"

    package struct Parameters: MessageBody {
        package var ids: [Int64] = []
        /// The end of the snooze, as typed text or in RFC 3339 form, or `nil` to end it now.
        package var until: String?
        /// The IANA name of the zone in which `until` was typed.
        package var timeZone: String?
        /// Whether to end the snooze now.
        package var off: Bool?

        package init() {}

        package init(ids: [Int64], until: String, timeZone: String?) {
            self.ids = ids
            self.until = until
            self.timeZone = timeZone
        }

        /// Creates parameters that end the snooze of these items.
        package init(off ids: [Int64]) {
            self.ids = ids
            off = true
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
            try fields.field("off", &off)
        }
    }

    package typealias Reply = UpdateItems.Reply
}
