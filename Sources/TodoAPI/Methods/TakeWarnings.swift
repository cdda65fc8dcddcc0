/// Returns the warnings that the user has not seen yet. Each warning is returned once.
package enum TakeWarnings: Method {
    package static let name = "TakeWarnings"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var warnings: [String] = []

        package init() {}

        package init(warnings: [String]) {
            self.warnings = warnings
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("warnings", &warnings)
        }
    }
}
