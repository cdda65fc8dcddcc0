/// Deletes a view. It has no effect on items.
package enum DeleteView: Method {
    package static let name = "DeleteView"

    package struct Parameters: MessageBody {
        package var name = ""

        package init() {}

        package init(name: String) { self.name = name }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
        }
    }

    package typealias Reply = AddView.Reply
}
