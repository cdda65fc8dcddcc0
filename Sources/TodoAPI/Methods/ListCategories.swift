/// Lists categories by name.
package enum ListCategories: Method {
    package static let name = "ListCategories"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var categories: [CategorySummary] = []

        package init() {}

        package init(categories: [CategorySummary]) { self.categories = categories }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("categories", &categories)
        }
    }
}
