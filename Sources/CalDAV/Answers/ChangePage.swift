/// The changes of a list since a sync token, or a part of them.
package struct ChangePage: Equatable, Sendable {
    /// The new and changed items.
    package let changed: [RemoteItem]
    /// The items that do not exist any more. Some of them may never have been known to the client.
    package let deleted: [DAVURL]
    /// The token from which the next request continues.
    package let token: String
    /// Whether more changes follow, which are after `token`.
    package let hasMore: Bool

    package init(
        changed: [RemoteItem], deleted: [DAVURL], token: String, hasMore: Bool
    ) {
        self.changed = changed
        self.deleted = deleted
        self.token = token
        self.hasMore = hasMore
    }
}
