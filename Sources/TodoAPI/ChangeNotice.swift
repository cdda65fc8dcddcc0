package import CivilTime

/// A change as the API shows it.
package struct ChangeNotice: NamedBody, Hashable {
    package static let varlinkType = "Change"

    /// In words: `deleted 'Pay the rent'`.
    package var what = ""
    /// The method that made it, such as `DeleteItems`.
    package var method = ""
    package var madeAt = Timestamp(secondsSince1970: 0)
    /// The items that it was about.
    package var ids: [Int64] = []

    package init() {}

    package init(what: String, method: String, madeAt: Timestamp, ids: [Int64]) {
        self.what = what
        self.method = method
        self.madeAt = madeAt
        self.ids = ids
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("what", &what)
        try fields.field("method", &method)
        try fields.field("madeAt", &madeAt)
        try fields.field("ids", &ids)
    }
}

/// The changes that a method speaks of.
package struct ChangeList: MessageBody {
    package var changes: [ChangeNotice] = []

    package init() {}

    package init(changes: [ChangeNotice]) { self.changes = changes }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("changes", &changes)
    }
}

/// How many changes a method is to act on.
package struct ChangeCount: MessageBody {
    /// So many changes are kept.
    package static let limit: Int64 = 100

    /// Nil for one.
    package var count: Int64?

    package init() {}

    package init(count: Int64?) { self.count = count }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("count", &count)
    }
}
