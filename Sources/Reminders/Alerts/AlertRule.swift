package import CivilTime
package import ObjectStore

/// Which items a look has to do with: those whose next alert point has come, and whose last alert is long enough ago.
///
/// One range of an index, however many items there are. `AlertPlanner` says what to do with each.
package struct AlertRule: Sendable {
    private let all: FetchPredicate
    private let urgent: FetchPredicate
    /// The item that is told first of all.
    package let firstRequest: FetchRequest<ToDo>

    package init() throws {
        all = try FetchPredicate(
            """
            completed == NO AND doNotAlert == NO AND nextAlertDate <= $now \
            AND (lastAlertDate == nil OR lastAlertDate < $quietSince OR lastAlertDate > $now)
            """)
        firstRequest = FetchRequest(
            matching: try FetchPredicate("completed == NO AND doNotAlert == NO AND nextAlertDate != nil"),
            orderedBy: [FetchOrder("nextAlertDate")], limit: 1)
        urgent = try FetchPredicate("priority >= 1 AND priority <= $lowestPriority")
    }

    /// The items to look at, in no order: an order would lead the store to an index of all open items.
    ///
    /// - Parameter lowestPriority: only items of this priority or a more urgent one; nil for all.
    package func request(
        now: Timestamp, quiet: TimeSpan, lowestPriority: Int16? = nil
    ) -> FetchRequest<ToDo> {
        var values: [String: AttributeValue] = ["now": .date(now), "quietSince": .date(now - quiet.seconds)]
        var predicate = all
        if let lowestPriority {
            values["lowestPriority"] = .integer(Int64(lowestPriority))
            predicate = all && urgent
        }
        return FetchRequest(matching: predicate.binding(values))
    }

    /// When the item that is told first of all is told; nil when there is none.
    package func firstPoint(in context: ManagedObjectContext) throws -> Timestamp? {
        let rows = try context.rows(firstRequest, of: ["nextAlertDate"])
        return rows.isEmpty ? nil : Timestamp(attributeValue: rows[0, 0])
    }
}
