internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// A category in an export as JSON.
struct ExportedCategory: NamedBody, Hashable {
    static let varlinkType = "ExportedCategory"

    var uid = ""
    var name = ""
    var isMuted = false
    var createdDate: Timestamp?
    var modifiedDate: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.field("muted", &isMuted)
        try fields.exactField("createdAt", &createdDate)
        try fields.exactField("modifiedAt", &modifiedDate)
    }
}

extension ExportedCategory {
    /// Returns all categories from the same state of the store as the items.
    static func all(_ context: ManagedObjectContext, beside items: RowStream) throws -> [ExportedCategory] {
        let rows = try context.stream(
            Category.all.ordered(by: \.id), of: \.uid, \.name, \.doNotAlert, \.createdDate,
            \.modifiedDate, beside: items)
        var categories: [ExportedCategory] = []
        while let (uid, name, isMuted, created, modified) = try rows.next() {
            categories.append(
                ExportedCategory(
                    uid: uid, name: name, isMuted: isMuted, createdDate: created, modifiedDate: modified))
        }
        return categories
    }

    /// Copies the values to `category`, except its `uid` and name. Values that are missing in the file stay as they
    /// are.
    func fill(_ category: Category) {
        category.doNotAlert = isMuted
        if let createdDate { category.createdDate = createdDate }
        if let modifiedDate { category.modifiedDate = modifiedDate }
    }
}
