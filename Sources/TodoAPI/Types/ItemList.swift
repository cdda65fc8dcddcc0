/// The items that a method returns.
package struct ItemList: MessageBody {
    /// The size at which a reply with `more` ends. The last item may exceed it.
    package static let chunkBytes = 256 << 10

    package var items: [Item] = []
    /// The ids of the other items that were changed or deleted with these, or `nil` if there are none.
    package var also: [Int64]?

    package init() {}

    package init(items: [Item], also: [Int64]? = nil) {
        self.items = items
        self.also = also
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
        try fields.field("also", &also)
    }
}

/// The items that a method has changed or was asked to change.
package struct ItemChanges: MessageBody {
    package var items: [Item] = []
    /// The ids of the items that already had the requested state, or `nil` if there are none.
    package var unchanged: [Int64]?

    package init() {}

    package init(items: [Item], unchanged: [Int64]?) {
        self.items = items
        self.unchanged = unchanged
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
        try fields.field("unchanged", &unchanged)
    }
}

/// The ids of the items that a method acts on.
package struct ItemIDs: MessageBody {
    /// The maximum number of items in a call. All of them are in memory and in the reply at once.
    package static let limit = 100_000
    /// The maximum size of the reply. A call with a larger reply is rejected.
    package static let replyBytesLimit = 16 << 20

    package var ids: [Int64] = []

    package init() {}

    package init(ids: [Int64]) { self.ids = ids }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("ids", &ids)
    }
}
