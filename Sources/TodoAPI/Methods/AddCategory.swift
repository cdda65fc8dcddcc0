/// Adds a category. Names are unique, ignoring case.
package enum AddCategory: Method {
    package static let name = "AddCategory"

    package struct Parameters: MessageBody {
        package var name = ""

        package init() {}

        package init(name: String) { self.name = name }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
        }
    }

    package struct Reply: MessageBody {
        package var category = CategorySummary()

        package init() {}

        package init(category: CategorySummary) { self.category = category }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("category", &category)
        }
    }
}
