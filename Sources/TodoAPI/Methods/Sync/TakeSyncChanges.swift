/// Takes the changes of one answer of the server: all of them or, after an error, none.
package enum TakeSyncChanges: Method {
    package static let name = "TakeSyncChanges"

    package struct Parameters: MessageBody {
        package var list: Int64 = 0
        package var changed: [SyncText] = []
        /// The URLs that the server has reported as deleted.
        package var deleted: [String] = []
        /// The URLs that a complete listing of the server does not have.
        package var missing: [String] = []
        /// The token after these changes, if all changes up to it were taken.
        package var token: String?
        package var ctag: String?
        /// Whether the list has no more changes.
        package var complete: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("changed", &changed)
            try fields.field("deleted", &deleted)
            try fields.field("missing", &missing)
            try fields.field("token", &token)
            try fields.field("ctag", &ctag)
            try fields.field("complete", &complete)
        }
    }

    package struct Reply: MessageBody {
        package var added: Int64 = 0
        package var updated: Int64 = 0
        package var deleted: Int64 = 0
        package var conflicts: Int64 = 0
        /// The number of texts that were the same as before.
        package var unchanged: Int64 = 0
        package var heldDeletions: String?
        /// The number of items that have to be sent.
        package var unsent: Int64 = 0

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("added", &added)
            try fields.field("updated", &updated)
            try fields.field("deleted", &deleted)
            try fields.field("conflicts", &conflicts)
            try fields.field("unchanged", &unchanged)
            try fields.field("heldDeletions", &heldDeletions)
            try fields.field("unsent", &unsent)
        }
    }
}
