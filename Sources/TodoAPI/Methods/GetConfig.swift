/// Shows the settings that the daemon uses, and where each comes from.
package enum GetConfig: Method {
    package static let name = "GetConfig"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var settings: [SettingState] = []
        /// The lines that the daemon ignores.
        package var wrongLines: [WrongLine] = []
        /// Whether the files say something else now.
        package var isChanged = false
        /// The settings that were read and take effect at the next start; `nil` if there are none.
        package var settingsAwaitingRestart: [SettingState]?
        /// The right lines of `[Store]` that are not used while another line is wrong; `nil` if there are none.
        package var settingsAwaitingCorrection: [SettingState]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("settings", &settings)
            try fields.field("wrongLines", &wrongLines)
            try fields.field("changed", &isChanged)
            try fields.field("awaitingRestart", &settingsAwaitingRestart)
            try fields.field("awaitingCorrection", &settingsAwaitingCorrection)
        }
    }
}
