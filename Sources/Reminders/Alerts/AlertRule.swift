internal import CivilTime
package import ObjectStore

/// The requests for the items that a check reads.
///
/// These items have a next alert that is due and is not a repeat within the quiet time. The store reads one range of an
/// index for them, so the cost does not depend on the number of items. `AlertPlanner` decides the action for each item.
package struct AlertRule: Sendable {
    /// The most items that `rivals` returns.
    private static let rivalsLimit = 100

    /// The requests of one check: for items and for the lead times of their own.
    ///
    /// The items are not ordered, because an order would make the store use an index of all open items.
    struct Requests: Sendable {
        let items: FetchRequest<ToDo>
        let alarms: FetchRequest<Alarm>
    }

    let allRequests: Requests
    /// The requests for items with the priority `$lowestPriority` or a higher one only.
    let urgentRequests: Requests
    /// The request for the item with the first alert.
    package let firstRequest: FetchRequest<ToDo>
    /// Like `firstRequest`, but without the items in muted categories.
    package let firstUnmutedRequest: FetchRequest<ToDo>

    /// Returns the condition for a due alert: within the lead time, not within the quiet time, and not muted.
    ///
    /// If `nextAlertDate` is at or before the due time, it is an alert time, and the quiet time does not apply.
    /// Otherwise it is a repeat: a nag or the end of a snooze. A last alert in the future was sent before the clock was
    /// set back.
    ///
    /// - Parameter path: the key path from the object to the item: `toDo.`, or empty for the item itself.
    private static func condition(_ path: String) throws -> FetchPredicate {
        try FetchPredicate(
            """
            \(path)completed == NO AND \(path)doNotAlert == NO AND \(path)nextAlertDate <= $now \
            AND (\(path)lastAlertDate == nil OR \(path)lastAlertDate < $quietSince \
            OR \(path)lastAlertDate > $now OR \(path)nextAlertDate <= \(path)dueDate)
            """)
    }

    private static func isUrgent(_ path: String) throws -> FetchPredicate {
        try FetchPredicate("\(path)priority >= 1 AND \(path)priority <= $lowestPriority")
    }

    package init() throws {
        let (item, alarm) = (try Self.condition(""), try Self.condition("toDo."))
        allRequests = Requests(items: FetchRequest(matching: item), alarms: FetchRequest(matching: alarm))
        urgentRequests = Requests(
            items: FetchRequest(matching: item && (try Self.isUrgent(""))),
            alarms: FetchRequest(matching: alarm && (try Self.isUrgent("toDo."))))
        let isOpen = try FetchPredicate("completed == NO AND doNotAlert == NO AND nextAlertDate != nil")
        let isUnmuted = try FetchPredicate("category == nil OR category.doNotAlert == NO")
        firstRequest = FetchRequest(matching: isOpen, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
        firstUnmutedRequest = FetchRequest(
            matching: isOpen && isUnmuted, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
    }

    /// Returns a request for the items with an alert time before `moment`, the earliest first, without items in muted
    /// categories.
    ///
    /// - Parameter lowestPriority: the lowest priority of the items to return, or `nil` for all items.
    package func rivals(before moment: Timestamp, lowestPriority: Int16? = nil) throws -> FetchRequest<ToDo> {
        var request = firstUnmutedRequest
        var predicate = request.predicate && (try FetchPredicate("nextAlertDate < %@", moment))
        if let lowestPriority {
            predicate =
                predicate && (try FetchPredicate("priority >= 1 AND priority <= %d", Int(lowestPriority)))
        }
        request.predicate = predicate
        request.limit = Self.rivalsLimit
        return request
    }

    /// Returns a request for the item with the next alert after `moment`.
    package func nextRequest(after moment: Timestamp) throws -> FetchRequest<ToDo> {
        var request = firstRequest
        request.predicate = request.predicate && (try FetchPredicate("nextAlertDate > %@", moment))
        return request
    }

    /// Returns the values of the variables in the requests of a check.
    static func values(
        now: Timestamp, _ settings: AlertSettings, lowestPriority: Int16?
    ) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [
            "now": .date(now), "quietSince": .date(now - settings.quietBeforeNag.seconds),
        ]
        if let lowestPriority { values["lowestPriority"] = .integer(Int64(lowestPriority)) }
        return values
    }
}
