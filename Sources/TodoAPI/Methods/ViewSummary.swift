/// A saved view in the API.
package struct ViewSummary: NamedBody, Equatable {
    package static let varlinkType = "View"

    package var id: Int64 = 0
    package var name = ""
    /// The query, or `nil` if this version cannot read it.
    package var query: ViewQuery?
    /// The reason why the query cannot be read, or `nil` if it can be.
    package var problem: String?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("query", &query)
        try fields.field("problem", &problem)
    }
}
