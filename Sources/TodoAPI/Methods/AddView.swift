/// Saves a view under a new name. Names are unique, ignoring case.
package enum AddView: Method {
    package static let name = "AddView"

    package struct Parameters: MessageBody {
        package var name = ""
        package var query = ViewQuery()

        package init() {}

        package init(name: String, query: ViewQuery) {
            self.name = name
            self.query = query
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("query", &query)
        }
    }

    package struct Reply: MessageBody {
        package var view = ViewSummary()

        package init() {}

        package init(view: ViewSummary) { self.view = view }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("view", &view)
        }
    }
}
