/// Records the state of a list, or decides about deletions that are held back.
package enum UpdateSyncList: Method {
    package static let name = "UpdateSyncList"

    package struct Parameters: MessageBody {
        package var list: Int64 = 0
        /// The reason why the synchronization failed. An empty text removes it.
        package var problem: String?
        package var readOnly: Bool?
        /// The name that the list has on the server.
        package var name: String?
        /// The reason why deletions are held back from now on.
        package var heldDeletions: String?
        /// True to delete the items of tasks that are gone, false to send these items again.
        package var acceptDeletions: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("problem", &problem)
            try fields.field("readOnly", &readOnly)
            try fields.field("name", &name)
            try fields.field("heldDeletions", &heldDeletions)
            try fields.field("acceptDeletions", &acceptDeletions)
        }
    }

    package struct Reply: MessageBody {
        package var list: SyncListSummary = SyncListSummary()
        /// The number of items that were deleted.
        package var deleted: Int64 = 0
        /// The number of items that stay, because they were changed here.
        package var kept: Int64 = 0

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("deleted", &deleted)
            try fields.field("kept", &kept)
        }
    }
}
