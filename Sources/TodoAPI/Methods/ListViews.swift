/// Lists the saved views by name.
package enum ListViews: Method {
    package static let name = "ListViews"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var views: [ViewSummary] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("views", &views)
        }
    }
}
