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
            Category.all.ordered(by: \.id),
            of: [
                .key(\Category.uid), .key(\Category.name), .key(\Category.doNotAlert),
                .key(\Category.createdDate), .key(\Category.modifiedDate),
            ], beside: items)
        var categories: [ExportedCategory] = []
        while let row = try rows.next() {
            var category = ExportedCategory()
            if case .string(let uid) = row[0] { category.uid = uid }
            if case .string(let name) = row[1] { category.name = name }
            category.isMuted = row[2] == .boolean(true)
            category.createdDate = Timestamp(attributeValue: row[3])
            category.modifiedDate = Timestamp(attributeValue: row[4])
            categories.append(category)
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
