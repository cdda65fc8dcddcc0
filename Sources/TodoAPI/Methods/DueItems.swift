/// Lists the open items that are overdue or fall due soon.
package enum DueItems: Method {
    package static let name = "DueItems"
    /// What `within` means when it is not said.
    package static let customarySpan = "24h"

    package struct Parameters: MessageBody {
        /// A time span such as `24h`.
        package var within: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("within", &within)
        }
    }

    package typealias Reply = ItemList
}
