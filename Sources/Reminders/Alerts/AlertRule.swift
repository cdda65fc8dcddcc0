internal import CivilTime
package import ObjectStore

/// The items that a check reads: their next alert is due, and it is no repeat of an alert within the quiet time.
///
/// It is one range of an index, however many items there are. `AlertPlanner` decides what to do with each of them.
package struct AlertRule: Sendable {
    /// More items than these are not looked through for the one that is told first while others are held back.
    private static let rivalsLimit = 100

    /// What a look reads: items, and the leads of their own that they have. The items come in no order: an order would
    /// lead the store to an index of all open items.
    struct Requests: Sendable {
        let items: FetchRequest<ToDo>
        let alarms: FetchRequest<Alarm>
    }

    let allRequests: Requests
    /// Only items of `$lowestPriority` or a more urgent one.
    let urgentRequests: Requests
    /// The item that is told first of all.
    package let firstRequest: FetchRequest<ToDo>
    /// The same, but for items of which nobody hears because their category is muted.
    package let firstHeardRequest: FetchRequest<ToDo>

    /// The condition as one says it aloud: due within the lead time, not alerted within the quiet time, not muted.
    ///
    /// `nextAlertDate` is the due time less a lead time, and then the quiet time does not count. After the due time, or at
    /// the end of a snooze, it is a repeat. A last alert in the future was sent before the clock was set back.
    ///
    /// - Parameter path: how the object leads to the item: `toDo.`, or nothing for the item itself.
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
        let isHeard = try FetchPredicate("category == nil OR category.doNotAlert == NO")
        firstRequest = FetchRequest(matching: isOpen, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
        firstHeardRequest = FetchRequest(
            matching: isOpen && isHeard, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
    }

    /// The items whose points lie before `moment`, and of which a person hears; the first point first.
    ///
    /// - Parameter lowestPriority: only items of this priority or a more urgent one; nil for all.
    package func rivals(before moment: Timestamp, lowestPriority: Int16? = nil) throws -> FetchRequest<ToDo> {
        var request = firstHeardRequest
        var predicate = request.predicate && (try FetchPredicate("nextAlertDate < %@", moment))
        if let lowestPriority {
            predicate =
                predicate && (try FetchPredicate("priority >= 1 AND priority <= %d", Int(lowestPriority)))
        }
        request.predicate = predicate
        request.limit = Self.rivalsLimit
        return request
    }

    /// The request for the item with the next alert after a moment.
    package func nextRequest(after moment: Timestamp) throws -> FetchRequest<ToDo> {
        var request = firstRequest
        request.predicate = request.predicate && (try FetchPredicate("nextAlertDate > %@", moment))
        return request
    }

    /// The values of the variables of the requests of a check.
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
