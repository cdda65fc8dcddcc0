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
    private static func isDue(_ item: Keys<ToDo>) -> FetchPredicate {
        !item.completed && !item.doNotAlert && item.nextAlertDate <= .variable("now")
            && (item.lastAlertDate == nil || item.lastAlertDate < .variable("quietSince")
                || item.lastAlertDate > .variable("now") || item.nextAlertDate <= item.dueDate)
    }

    private static func isDueAndUrgent(_ item: Keys<ToDo>) -> FetchPredicate {
        isDue(item) && item.priority >= 1 && item.priority <= .variable("lowestPriority")
    }

    package init() {
        allRequests = Requests(
            items: ToDo.where(Self.isDue), alarms: Alarm.where { $0.toDo.satisfies(Self.isDue) })
        urgentRequests = Requests(
            items: ToDo.where(Self.isDueAndUrgent),
            alarms: Alarm.where { $0.toDo.satisfies(Self.isDueAndUrgent) })
        firstRequest = ToDo.where { !$0.completed && !$0.doNotAlert && $0.nextAlertDate != nil }
            .ordered(by: \.nextAlertDate).limit(1)
        firstUnmutedRequest = firstRequest.where { $0.category == nil || $0.category.doNotAlert == false }
    }

    /// Returns a request for the items with an alert time before `moment`, the earliest first, without items in muted
    /// categories.
    ///
    /// - Parameter lowestPriority: the lowest priority of the items to return, or `nil` for all items.
    package func rivals(before moment: Timestamp, lowestPriority: Int16? = nil) -> FetchRequest<ToDo> {
        var request = firstUnmutedRequest.where { $0.nextAlertDate < moment }.limit(Self.rivalsLimit)
        if let lowestPriority {
            request = request.where { $0.priority >= 1 && $0.priority <= lowestPriority }
        }
        return request
    }

    /// Returns a request for the item with the next alert after `moment`.
    package func nextRequest(after moment: Timestamp) -> FetchRequest<ToDo> {
        firstRequest.where { $0.nextAlertDate > moment }
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
