/// Restores a change that lost, or removes its record.
package enum ResolveSyncConflict: Method {
    package static let name = "ResolveSyncConflict"

    package struct Parameters: MessageBody {
        package var id: Int64 = 0
        package var restore: Bool = false

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("id", &id)
            try fields.field("restore", &restore)
        }
    }

    package struct Reply: MessageBody {
        package var item: Item?

        package init() {}

        package init(item: Item) {
            self.item = item
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("item", &item)
        }
    }
}
