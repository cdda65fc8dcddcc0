/// Has items told again later, and not before.
package enum SnoozeItems: Method {
    package static let name = "SnoozeItems"

    package struct Parameters: MessageBody {
        package var ids: [Int64] = []
        /// Typed text or RFC 3339.
        package var until = ""
        /// The IANA name of the zone in which `until` was typed.
        package var timeZone: String?

        package init() {}

        package init(ids: [Int64], until: String, timeZone: String?) {
            self.ids = ids
            self.until = until
            self.timeZone = timeZone
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
        }
    }

    package typealias Reply = ItemList
}
