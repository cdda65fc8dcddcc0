internal import Varlink

/// The filter, the order and the grouping of a view, as a person typed them.
///
/// Its fields are those of `ListItems` that select and order items. Times are texts such as `today`, which have their
/// meaning when the view is shown.
package struct ViewQuery: NamedBody, Equatable {
    package static let varlinkType = "ViewQuery"

    package var state: ListItems.State?
    package var category: String?
    package var tags: [String]?
    package var priorities: [Int64]?
    package var text: String?
    package var dueBefore: String?
    package var dueAfter: String?
    package var within: String?
    package var `where`: String?
    package var order: [String]?
    package var limit: Int64?
    /// The grouping of the list: `category`, `due` or `priority`.
    package var group: String?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("state", &state)
        try fields.field("category", &category)
        try fields.field("tags", &tags)
        try fields.field("priorities", &priorities)
        try fields.field("text", &text)
        try fields.field("dueBefore", &dueBefore)
        try fields.field("dueAfter", &dueAfter)
        try fields.field("within", &within)
        try fields.field("where", &`where`)
        try fields.field("order", &order)
        try fields.field("limit", &limit)
        try fields.field("group", &group)
    }

    /// The parameters of `ListItems`.
    package var parameters: ListItems.Parameters {
        var parameters = ListItems.Parameters()
        parameters.state = state
        parameters.category = category
        parameters.tags = tags
        parameters.priorities = priorities
        parameters.text = text
        parameters.dueBefore = dueBefore
        parameters.dueAfter = dueAfter
        parameters.within = within
        parameters.where = `where`
        parameters.order = order
        parameters.limit = limit
        return parameters
    }

    /// Creates the query with the parameters that select and order items.
    package init(_ parameters: ListItems.Parameters, group: String?) {
        state = parameters.state
        category = parameters.category
        tags = parameters.tags
        priorities = parameters.priorities
        text = parameters.text
        dueBefore = parameters.dueBefore
        dueAfter = parameters.dueAfter
        within = parameters.within
        `where` = parameters.where
        order = parameters.order
        limit = parameters.limit
        self.group = group
    }

    // MARK: - JSON

    /// The query as the store keeps it.
    package var json: String {
        var writer = JSONWriter()
        writer.object { FieldWriter.write(self, to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a stored query.
    ///
    /// - Throws: the reason why it cannot be read, such as a field of a newer version.
    package init(json: String) throws(FieldError) {
        let value: JSON?
        do { value = try JSONParser.parse(json.utf8) } catch { value = nil }
        guard case .object(let object)? = value else {
            throw FieldError(field: "query", reason: "it is no object in JSON")
        }
        self = try FieldReader.read(ViewQuery.self, from: object)
    }
}
