internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// A tag in an export as JSON.
struct ExportedTag: NamedBody, Hashable {
    static let varlinkType = "ExportedTag"

    var uid = ""
    var name = ""
    var createdDate: Timestamp?
    var modifiedDate: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.exactField("createdAt", &createdDate)
        try fields.exactField("modifiedAt", &modifiedDate)
    }
}

extension ExportedTag {
    /// Returns all tags from the same state of the store as the items.
    static func all(_ context: ManagedObjectContext, beside items: RowStream) throws -> [ExportedTag] {
        let rows = try context.stream(
            Tag.all.ordered(by: \.id),
            of: [.key("uid"), .key("name"), .key("createdDate"), .key("modifiedDate")], beside: items)
        var tags: [ExportedTag] = []
        while let row = try rows.next() {
            var tag = ExportedTag()
            if case .string(let uid) = row[0] { tag.uid = uid }
            if case .string(let name) = row[1] { tag.name = name }
            tag.createdDate = Timestamp(attributeValue: row[2])
            tag.modifiedDate = Timestamp(attributeValue: row[3])
            tags.append(tag)
        }
        return tags
    }
}
