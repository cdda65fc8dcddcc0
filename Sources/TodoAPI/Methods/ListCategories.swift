/// Lists categories by name.
package enum ListCategories: Method {
    package static let name = "ListCategories"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var categories: [CategorySummary]

        package init(categories: [CategorySummary]) { self.categories = categories }

        package init(from fields: FieldReader) throws(FieldError) {
            categories = try fields.bodies("categories", of: CategorySummary.self)
        }

        package func write(to object: inout FieldWriter) {
            object.bodies("categories", categories)
        }
    }
}
