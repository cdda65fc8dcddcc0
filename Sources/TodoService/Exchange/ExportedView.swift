internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// A saved view in an export as JSON.
struct ExportedView: NamedBody, Hashable {
    static let varlinkType = "ExportedView"

    var name = ""
    /// The query as the store keeps it, which may be of a newer version.
    var query = ""
    var createdDate: Timestamp?
    var modifiedDate: Timestamp?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("name", &name)
        try fields.field("query", &query)
        try fields.exactField("createdAt", &createdDate)
        try fields.exactField("modifiedAt", &modifiedDate)
    }
}

extension ExportedView {
    /// Returns all views from the same state of the store as the items.
    static func all(_ context: ManagedObjectContext, beside items: RowStream) throws -> [ExportedView] {
        let rows = try context.stream(
            SavedView.all.ordered(by: \.id),
            of: [.key("name"), .key("query"), .key("createdDate"), .key("modifiedDate")], beside: items)
        var views: [ExportedView] = []
        while let row = try rows.next() {
            var view = ExportedView()
            if case .string(let name) = row[0] { view.name = name }
            if case .string(let query) = row[1] { view.query = query }
            view.createdDate = Timestamp(attributeValue: row[2])
            view.modifiedDate = Timestamp(attributeValue: row[3])
            views.append(view)
        }
        return views
    }

    /// Adds the view to the store, or replaces the query of the view with its name if that is older.
    ///
    /// - Returns: a remark if the store keeps another query.
    func take(in service: ServiceContext, field: String) throws -> String? {
        let name = try TypedValue.category(name, field: field)
        guard let known = try service.store.findView(named: name) else {
            let view = try service.store.context.insertView(name, query: query, at: service.times.now())
            if let createdDate { view.createdDate = createdDate }
            if let modifiedDate { view.modifiedDate = modifiedDate }
            return nil
        }
        guard known.query != query else { return nil }
        guard let modifiedDate, modifiedDate > known.modifiedDate else {
            return "the view '\(known.name)' keeps its query: that of the file is not newer"
        }
        known.query = query
        known.modifiedDate = modifiedDate
        return nil
    }
}
