/// Lists changes that the server does not have.
package enum ListSyncUploads: Method {
    package static let name = "ListSyncUploads"

    package struct Parameters: MessageBody {
        package var list: Int64 = 0
        /// Whether changes that the server refused within the last hour are tried again.
        package var retry: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("retry", &retry)
        }
    }

    package struct Reply: MessageBody {
        package var uploads: [SyncUpload] = []
        /// Whether there are more changes when these are recorded.
        package var hasMore: Bool = false

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("uploads", &uploads)
            try fields.field("hasMore", &hasMore)
        }
    }
}
