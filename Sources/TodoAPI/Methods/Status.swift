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
        package var modelVersion = ""
        package var items: Int64 = 0
        package var openItems: Int64 = 0
        package var categories: Int64 = 0
        package var nextDue: Timestamp?
        package var lastTick: Timestamp?
        package var journal = false
        package var connections: Int64 = 0

        package init() {}

        package init(from fields: FieldReader) throws(FieldError) {
            version = try fields.string("version")
            processID = try fields.integer("processID")
            startedAt = try fields.moment("startedAt")
            storeKind = try fields.string("storeKind")
            storePath = try fields.string("storePath")
            modelVersion = try fields.string("modelVersion")
            items = try fields.integer("items")
            openItems = try fields.integer("openItems")
            categories = try fields.integer("categories")
            nextDue = try fields.optionalMoment("nextDue")
            lastTick = try fields.optionalMoment("lastTick")
            journal = try fields.boolean("journal")
            connections = try fields.integer("connections")
        }

        package func write(to object: inout FieldWriter) {
            object.string("version", version)
            object.integer("processID", processID)
            object.moment("startedAt", startedAt)
            object.string("storeKind", storeKind)
            object.string("storePath", storePath)
            object.string("modelVersion", modelVersion)
            object.integer("items", items)
            object.integer("openItems", openItems)
            object.integer("categories", categories)
            object.moment("nextDue", nextDue)
            object.moment("lastTick", lastTick)
            object.boolean("journal", journal)
            object.integer("connections", connections)
        }
    }
}
