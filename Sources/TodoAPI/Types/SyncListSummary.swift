package import CivilTime

/// A list of an account, which is synchronized with a category.
package struct SyncListSummary: NamedBody, Hashable {
    package static let varlinkType = "SyncList"

    package var id: Int64 = 0
    package var url: String = ""
    package var name: String = ""
    /// The category, or `nil` if it was deleted.
    package var category: String?
    package var readOnly: Bool?
    /// The token of the last synchronization whose changes are all in the store.
    package var token: String?
    package var ctag: String?
    package var lastSync: Timestamp?
    /// The reason why deletions of the server are held back, or `nil` if they are not.
    package var heldDeletions: String?
    /// The number of items whose deletion is held back.
    package var heldItems: Int64?
    /// The names of the first of these items.
    package var heldNames: [String]?
    /// The reason why the last synchronization failed, or `nil` if it did not.
    package var problem: String?
    /// The number of tasks on the server, as far as they were read.
    package var items: Int64 = 0
    /// The number of items with changes that the server does not have.
    package var unsent: Int64 = 0
    package var conflicts: Int64 = 0
    /// The first reasons why tasks are not synchronized.
    package var remarks: [String] = []

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("url", &url)
        try fields.field("name", &name)
        try fields.field("category", &category)
        try fields.field("readOnly", &readOnly)
        try fields.field("token", &token)
        try fields.field("ctag", &ctag)
        try fields.field("lastSync", &lastSync)
        try fields.field("heldDeletions", &heldDeletions)
        try fields.field("heldItems", &heldItems)
        try fields.field("heldNames", &heldNames)
        try fields.field("problem", &problem)
        try fields.field("items", &items)
        try fields.field("unsent", &unsent)
        try fields.field("conflicts", &conflicts)
        try fields.field("remarks", &remarks)
    }
}
