package import CivilTime

/// Reports changes of items and alerts for as long as the client reads them.
package enum Watch: Method {
    package static let name = "Watch"

    /// The maximum number of items in a reply.
    package static let itemsPerReply = 100
    /// The maximum number of unread events and of their items, which are kept in memory: alerts and, in a store
    /// without a history, changes. A watcher that exceeds it is disconnected with `TooSlow`.
    package static let pendingLimit = 10_000
    /// The number of items from which on changes that are reported together are reported as `many`.
    package static let changesLimit = 10_000
    /// The number of days for which the changes of the store are kept. A token from before that is too old.
    package static let historyDaysLimit = 30
    /// The number of changes of the store that are kept. Consecutive items with the same change count once.
    package static let historyChangesLimit = 250_000

    package struct Parameters: MessageBody {
        /// The token after which changes are reported, or `nil` for all changes from now on.
        package var since: String?

        package init() {}

        package init(since: String?) { self.since = since }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("since", &since)
        }
    }

    package enum Event: String, FieldChoice {
        /// The first reply. All later changes, or those after the token of the call, are reported.
        case ready
        case added, changed, deleted
        /// Too many changes at once. The client should list the items, categories and tags again.
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
        /// The position after this reply, for `since`, or `nil` if the store has no history.
        package var token: String?

        package init() {}

        package init(
            _ event: Event, at moment: Timestamp, ids: [Int64] = [], items: [Item] = [], alert: String? = nil,
            token: String? = nil
        ) {
            self.event = event
            at = moment
            self.ids = ids
            self.items = items
            self.alert = alert
            self.token = token
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("event", &event)
            try fields.field("at", &at)
            try fields.field("ids", &ids)
            try fields.field("items", &items)
            try fields.field("alert", &alert)
            try fields.field("token", &token)
        }
    }
}
