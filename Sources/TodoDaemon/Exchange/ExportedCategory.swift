internal import CivilTime
internal import Reminders
internal import TodoAPI

/// A category as an export in JSON has it.
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
    init(_ category: Category) {
        uid = category.uid
        name = category.name
        isMuted = category.doNotAlert
        createdDate = category.createdDate
        modifiedDate = category.modifiedDate
    }

    /// Puts what this holds into `category`, but for what it is known by; what the file does not tell stays as it is.
    func fill(_ category: Category) {
        category.doNotAlert = isMuted
        if let createdDate { category.createdDate = createdDate }
        if let modifiedDate { category.modifiedDate = modifiedDate }
    }
}
