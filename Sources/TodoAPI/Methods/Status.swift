package import CivilTime

/// Returns the state of the daemon and its store.
package enum Status: Method {
    package static let name = "Status"
    package typealias Parameters = Empty

    package struct Reply: MessageBody, Hashable {
        package var version = tododVersion
        package var processID: Int64 = 0
        package var startedAt = Timestamp(secondsSince1970: 0)
        package var storeKind = ""
        package var storePath = ""
        /// The size of the store, or `nil` for a store in memory.
        package var storeBytes: Int64?
        package var modelVersion = ""
        package var items: Int64 = 0
        package var openItems: Int64 = 0
        package var categories: Int64 = 0
        package var nextDue: CalendarTime?
        package var lastTick: Timestamp?
        /// The end of the quiet period, or `nil` if there is none.
        package var quietUntil: Timestamp?
        package var journal = false
        package var connections: Int64 = 0
        package var watchers: Int64 = 0
        package var uptimeSeconds: Int64?
        /// The time of the next alert, including delays.
        package var nextAlert: Timestamp?
        package var nextAlertID: Int64?
        package var nextAlertName: String?
        /// The duration of the last minute check.
        package var lastTickMicroseconds: Int64?
        /// The destinations of alerts.
        package var places: [PlaceState]?
        /// The invalid lines in the current configuration files, or `nil` if there are none.
        package var wrongLines: [WrongLine]?
        /// The warnings about the configuration and the store, or `nil` if there are none.
        package var warnings: [String]?
        /// Whether the configuration files have changed since the daemon read them.
        package var isConfigurationChanged: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("version", &version)
            try fields.field("processID", &processID)
            try fields.field("startedAt", &startedAt)
            try fields.field("storeKind", &storeKind)
            try fields.field("storePath", &storePath)
            try fields.field("storeBytes", &storeBytes)
            try fields.field("modelVersion", &modelVersion)
            try fields.field("items", &items)
            try fields.field("openItems", &openItems)
            try fields.field("categories", &categories)
            try fields.field("nextDue", &nextDue)
            try fields.field("lastTick", &lastTick)
            try fields.field("quietUntil", &quietUntil)
            try fields.field("journal", &journal)
            try fields.field("connections", &connections)
            try fields.field("watchers", &watchers)
            try fields.field("uptimeSeconds", &uptimeSeconds)
            try fields.field("nextAlert", &nextAlert)
            try fields.field("nextAlertId", &nextAlertID)
            try fields.field("nextAlertName", &nextAlertName)
            try fields.field("lastTickMicroseconds", &lastTickMicroseconds)
            try fields.field("places", &places)
            try fields.field("wrongLines", &wrongLines)
            try fields.field("warnings", &warnings)
            try fields.field("configurationChanged", &isConfigurationChanged)
        }
    }
}
