package import CivilTime

/// A change in the API.
package struct ChangeNotice: NamedBody, Hashable {
    package static let varlinkType = "Change"

    /// A description of the change, such as `deleted 'Pay the rent'`.
    package var summary = ""
    /// The method that made the change, such as `DeleteItems`.
    package var method = ""
    package var madeAt = Timestamp(secondsSince1970: 0)
    /// The ids of the changed items.
    package var ids: [Int64] = []

    package init() {}

    package init(summary: String, method: String, madeAt: Timestamp, ids: [Int64]) {
        self.summary = summary
        self.method = method
        self.madeAt = madeAt
        self.ids = ids
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("summary", &summary)
        try fields.field("method", &method)
        try fields.field("madeAt", &madeAt)
        try fields.field("ids", &ids)
    }
}

/// The changes that a method returns.
package struct ChangeList: MessageBody {
    package var changes: [ChangeNotice] = []

    package init() {}

    package init(changes: [ChangeNotice]) { self.changes = changes }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("changes", &changes)
    }
}

/// The number of changes to undo or redo.
package struct ChangeCount: MessageBody {
    /// The maximum number of changes kept for undo.
    package static let limit: Int64 = 100

    /// The number of changes, or `nil` for one.
    package var count: Int64?

    package init() {}

    package init(count: Int64?) { self.count = count }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("count", &count)
    }
}
