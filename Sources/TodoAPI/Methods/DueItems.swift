/// Lists the open items that are overdue or due soon.
package enum DueItems: Method {
    package static let name = "DueItems"
    /// The time span if neither `within` nor `until` is given.
    package static let defaultSpan = "24h"

    package struct Parameters: MessageBody {
        /// A time span such as `24h`.
        package var within: String?
        /// A time as typed text. A day without a time includes the whole day.
        package var until: String?
        /// The IANA name of the zone in which `until` was typed.
        package var timeZone: String?
        /// The fields to include, as in `ListItems`.
        package var fields: [String]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("within", &within)
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
            try fields.field("fields", &self.fields)
        }
    }

    package typealias Reply = ListItems.Reply
}
