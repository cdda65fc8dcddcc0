/// Turns alerts for items off or on.
package enum MuteItems: Method {
    package static let name = "MuteItems"

    package struct Parameters: MessageBody {
        package var ids: [Int64] = []
        package var muted = true

        package init() {}

        package init(ids: [Int64], muted: Bool) {
            self.ids = ids
            self.muted = muted
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("muted", &muted)
        }
    }

    package typealias Reply = ItemChanges
}
