package import CivilTime

/// Reports changes of items and alerts for as long as the client reads them.
package enum Watch: Method {
    package static let name = "Watch"
    package typealias Parameters = Empty

    /// The maximum number of items in a reply.
    package static let itemsPerReply = 100
    /// The maximum number of unread replies and items. A watcher that exceeds it is disconnected with
    /// `TooSlow`.
    package static let pendingLimit = 10_000

    package enum Event: String, FieldChoice {
        /// The first reply. All later changes are reported.
        case ready
        case added, changed, deleted
        /// Too many changes at once. The client should list the items again.
        case many
        /// Categories were added, changed or deleted.
        case categories
        /// Tags were added, renamed or deleted.
        case tags
        case alert
    }

    package struct Reply: MessageBody {
        package var event = Event.ready
        package var at = Timestamp(secondsSince1970: 0)
        package var ids: [Int64] = []
        /// The items with these ids that still exist, in their current state.
        package var items: [Item] = []
        /// The kind of alert, as in the journal field `TODO_ALERT`.
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
