/// Records the results of sending changes.
package enum RecordSyncUploads: Method {
    package static let name = "RecordSyncUploads"

    package struct Parameters: MessageBody {
        package var list: Int64 = 0
        package var results: [SyncUploadResult] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("results", &results)
        }
    }

    package struct Reply: MessageBody {
        package var conflicts: Int64 = 0

        package init() {}

        package init(conflicts: Int64) {
            self.conflicts = conflicts
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("conflicts", &conflicts)
        }
    }
}
