package import CivilTime
package import ObjectStore

/// Which items a look has to do with: those whose next alert point has come, and whose last alert is long enough ago.
///
/// One range of an index, however many items there are. `AlertPlanner` says what to do with each.
package struct AlertRule: Sendable {
    /// What a look reads: items, and the leads of their own that they have.
    package struct Requests: Sendable {
        package let items: FetchRequest<ToDo>
        package let alarms: FetchRequest<Alarm>
    }

    private let items: Condition
    private let alarms: Condition
    /// The item that is told first of all.
    package let firstRequest: FetchRequest<ToDo>
    /// The same, but for items of which nobody hears because their category is muted.
    package let firstHeardRequest: FetchRequest<ToDo>

    /// The rule for what an object says of an item.
    private struct Condition: Sendable {
        let all: FetchPredicate
        let urgent: FetchPredicate

        /// - Parameter path: how the object leads to the item: `toDo.`, or nothing for the item itself.
        init(_ path: String) throws {
            all = try FetchPredicate(
                """
                \(path)completed == NO AND \(path)doNotAlert == NO AND \(path)nextAlertDate <= $now \
                AND (\(path)lastAlertDate == nil OR \(path)lastAlertDate < $quietSince \
                OR \(path)lastAlertDate > $now)
                """)
            urgent = try FetchPredicate("\(path)priority >= 1 AND \(path)priority <= $lowestPriority")
        }

        func predicate(_ values: [String: AttributeValue], isUrgent: Bool) -> FetchPredicate {
            (isUrgent ? all && urgent : all).binding(values)
        }
    }

    package init() throws {
        items = try Condition("")
        alarms = try Condition("toDo.")
        let isOpen = try FetchPredicate("completed == NO AND doNotAlert == NO AND nextAlertDate != nil")
        let isHeard = try FetchPredicate("category == nil OR category.doNotAlert == NO")
        firstRequest = FetchRequest(matching: isOpen, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
        firstHeardRequest = FetchRequest(
            matching: isOpen && isHeard, orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
    }

    /// The items to look at, in no order: an order would lead the store to an index of all open items.
    ///
    /// - Parameter lowestPriority: only items of this priority or a more urgent one; nil for all.
    package func requests(now: Timestamp, quiet: TimeSpan, lowestPriority: Int16? = nil) -> Requests {
        var values: [String: AttributeValue] = ["now": .date(now), "quietSince": .date(now - quiet.seconds)]
        if let lowestPriority { values["lowestPriority"] = .integer(Int64(lowestPriority)) }
        let isUrgent = lowestPriority != nil
        return Requests(
            items: FetchRequest(matching: items.predicate(values, isUrgent: isUrgent)),
            alarms: FetchRequest(matching: alarms.predicate(values, isUrgent: isUrgent)))
    }
}
