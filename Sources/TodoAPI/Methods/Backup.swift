/// Makes a copy of the store while the daemon works on, and checks it.
package enum Backup: Method {
    package static let name = "Backup"

    package struct Parameters: MessageBody {
        /// Where the copy goes: absolute, and nothing may be there yet.
        package var path = ""
        /// Where the daemon may not write, it makes the copy elsewhere, and the client fetches it from there.
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
        /// Where the copy is. One elsewhere is removed when the connection ends.
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
