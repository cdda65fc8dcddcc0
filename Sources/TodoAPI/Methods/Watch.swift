package import CivilTime

/// Tells what happens to items, as long as the client listens.
package enum Watch: Method {
    package static let name = "Watch"
    package typealias Parameters = Empty

    /// A reply holds at most this many items.
    package static let itemsPerReply = 100
    /// A watcher that is behind by more items than this is dropped with `TooSlow`.
    package static let pendingLimit = 100_000

    package enum Event: String, FieldChoice {
        /// The first reply: what happens from now on is told.
        case ready
        case added, changed, deleted
        /// So much has changed at once that it is better to list anew.
        case many
        /// Categories were added, changed or deleted.
        case categories
        case alert
    }

    package struct Reply: MessageBody {
        package var event = Event.ready
        package var at = Timestamp(secondsSince1970: 0)
        package var ids: [Int64] = []
        /// Those of them that are still there, as they are now.
        package var items: [Item] = []
        /// What kind of alert it is, as `TODO_ALERT` in the journal.
        package var alert: String?

        package init() {}

        package init(
            _ event: Event, at moment: Timestamp, ids: [Int64] = [], items: [Item] = [], alert: String? = nil
        ) {
            self.event = event
            at = moment
            self.ids = ids
            self.items = items
            self.alert = alert
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("event", &event)
            try fields.field("at", &at)
            try fields.field("ids", &ids)
            try fields.field("items", &items)
            try fields.field("alert", &alert)
        }
    }
}
