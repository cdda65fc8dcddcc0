internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct AddViewHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: AddView.Parameters, _ answer: Answer<AddView>) throws {
        let name = try TypedValue.category(parameters.name, field: "name")
        let query = try TypedValue.query(parameters.query, service)
        if let existing = try service.store.findView(named: name) {
            throw APIError.viewExists(name: existing.name)
        }
        let view = try service.changes.change(AddView.name) {
            let view = try service.store.context.insertView(name, query: query, at: service.times.now())
            return ViewSummary(view)
        }
        answer.reply(.init(view: view))
    }
}

extension TypedValue {
    /// Returns the text to store for the query of a view.
    ///
    /// - Throws: an error that names the wrong field, or a category or a tag that does not exist.
    static func query(_ query: ViewQuery, _ service: ServiceContext) throws -> String {
        _ = try ItemQuery(query.parameters, service)
        if let group = query.group, !["category", "due", "priority"].contains(group) {
            throw APIError.invalidValue(field: "group", reason: "expected category, due or priority")
        }
        return query.json
    }
}
