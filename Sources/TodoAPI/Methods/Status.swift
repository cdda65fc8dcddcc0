package import CivilTime

/// How the daemon and its store are doing.
package enum Status: Method {
    package static let name = "Status"
    package typealias Parameters = Empty

    package struct Reply: MessageBody, Hashable {
        package var version = tododVersion
        package var processID: Int64 = 0
        package var startedAt = Timestamp(secondsSince1970: 0)
        package var storeKind = ""
        package var storePath = ""
        /// Nil for a store in memory.
        package var storeBytes: Int64?
        package var modelVersion = ""
        package var items: Int64 = 0
        package var openItems: Int64 = 0
        package var categories: Int64 = 0
        package var nextDue: Timestamp?
        package var lastTick: Timestamp?
        /// Alerts are held back until then.
        package var quietUntil: Timestamp?
        package var journal = false
        package var connections: Int64 = 0
        package var watchers: Int64 = 0
        package var uptimeSeconds: Int64?
        /// When an item is told next; what holds alerts back is counted in.
        package var nextAlert: Timestamp?
        package var nextAlertID: Int64?
        package var nextAlertName: String?
        /// How long the last look for what is to be told took.
        package var lastTickMicroseconds: Int64?
        /// Where alerts go.
        package var places: [PlaceState]?
        /// The wrong lines of the configuration files as they are now; `nil` if there are none.
        package var wrongLines: [WrongLine]?
        /// Whether the configuration files say something else than when they were read.
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
            try fields.field("configurationChanged", &isConfigurationChanged)
        }
    }
}
