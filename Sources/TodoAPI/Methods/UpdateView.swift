/// Renames a view, or replaces its query.
package enum UpdateView: Method {
    package static let name = "UpdateView"

    package struct Parameters: MessageBody {
        package var name = ""
        package var newName: String?
        package var query: ViewQuery?

        package init() {}

        package init(name: String, newName: String? = nil, query: ViewQuery? = nil) {
            self.name = name
            self.newName = newName
            self.query = query
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("newName", &newName)
            try fields.field("query", &query)
        }
    }

    package struct Reply: MessageBody {
        package var view = ViewSummary()
        /// True if the view already had the name and the query, otherwise `nil`.
        package var unchanged: Bool?

        package init() {}

        package init(view: ViewSummary, isUnchanged: Bool) {
            self.view = view
            unchanged = isUnchanged ? true : nil
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("view", &view)
            try fields.field("unchanged", &unchanged)
        }
    }
}
