/// Reads the configuration files without applying them.
package enum CheckConfig: Method {
    package static let name = "CheckConfig"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var wrongLines: [WrongLine] = []
        /// The settings that would get another value.
        package var changes: [SettingState] = []
        /// The warnings about valid lines, or `nil` if there are none.
        package var warnings: [String]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("wrongLines", &wrongLines)
            try fields.field("changes", &changes)
            try fields.field("warnings", &warnings)
        }
    }
}
