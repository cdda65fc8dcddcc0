internal import Varlink

/// The filter, the order and the grouping of a view, as a person typed them.
///
/// Its fields are those of `ListItems` that select and order items. Times are texts such as `today`, which have their
/// meaning when the view is shown.
package struct ViewQuery: NamedBody, Equatable {
    package static let varlinkType = "ViewQuery"

    /// The parameters of `ListItems`, of which `code` and `init` set those that select and order items.
    package var parameters = ListItems.Parameters()
    /// The grouping of the list: `category`, `due` or `priority`.
    package var group: String?

    package init() {}

    /// Creates the query with the parameters that select and order items.
    package init(_ parameters: ListItems.Parameters, group: String?) {
        self.parameters = parameters
        (self.parameters.timeZone, self.parameters.arguments) = (nil, nil)
        (self.parameters.offset, self.parameters.fields) = (nil, nil)
        self.group = group
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try parameters.codeQuery(&fields)
        try fields.field("group", &group)
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
