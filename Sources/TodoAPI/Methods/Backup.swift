/// Makes a copy of the store while the daemon works on, and checks it.
package enum Backup: Method {
    package static let name = "Backup"

    package struct Parameters: MessageBody {
        /// Where the copy goes: absolute, and nothing may be there yet.
        package var path = ""

        package init() {}

        package init(path: String) { self.path = path }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("path", &path)
        }
    }

    package struct Reply: MessageBody {
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
