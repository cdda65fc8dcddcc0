/// Returns the settings that the daemon uses and their sources.
package enum GetConfig: Method {
    package static let name = "GetConfig"
    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var settings: [SettingState] = []
        /// The invalid lines, which the daemon ignores.
        package var wrongLines: [WrongLine] = []
        /// Whether the files have changed since the daemon read them.
        package var isChanged = false
        /// The settings that were read but take effect only after a restart, or `nil` if there are none.
        package var settingsAwaitingRestart: [SettingState]?
        /// The valid lines of `[Store]` that are not used while another line is invalid, or `nil` if there
        /// are none.
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
