/// Copies the store while the daemon keeps running, and checks the copy.
package enum Backup: Method {
    package static let name = "Backup"

    package struct Parameters: MessageBody {
        /// The absolute path of the copy. No file may exist there.
        package var path = ""
        /// Whether the daemon may make the copy elsewhere if it cannot write to `path`. The client then fetches
        /// it from there.
        package var isFetched: Bool?

        package init() {}

        package init(path: String, isFetched: Bool) {
            self.path = path
            self.isFetched = isFetched
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("path", &path)
            try fields.field("handover", &isFetched)
        }
    }

    package struct Reply: MessageBody {
        /// The path of the copy. If it is not the requested path, the copy is removed when the connection
        /// ends.
        package var path = ""
        package var bytes: Int64 = 0

        package init() {}

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("path", &path)
            try fields.field("bytes", &bytes)
        }
    }
}
