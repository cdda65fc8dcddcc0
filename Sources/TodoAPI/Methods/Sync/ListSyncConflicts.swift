/// Lists the changes that lost against others.
package enum ListSyncConflicts: Method {
    package static let name = "ListSyncConflicts"

    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var conflicts: [SyncConflict] = []

        package init() {}

        package init(conflicts: [SyncConflict]) {
            self.conflicts = conflicts
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("conflicts", &conflicts)
        }
    }
}
