/// Adds a category; names are unique without regard to case.
package enum AddCategory: Method {
    package static let name = "AddCategory"

    package struct Parameters: MessageBody {
        package var name: String

        package init(name: String) { self.name = name }

        package init(from fields: FieldReader) throws(FieldError) {
            name = try fields.string("name")
        }

        package func write(to object: inout FieldWriter) {
            object.string("name", name)
        }
    }

    package struct Reply: MessageBody {
        package var category: CategorySummary

        package init(category: CategorySummary) { self.category = category }

        package init(from fields: FieldReader) throws(FieldError) {
            category = try fields.body("category", CategorySummary.self)
        }

        package func write(to object: inout FieldWriter) {
            object.body("category", category)
        }
    }
}
