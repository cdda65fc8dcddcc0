internal import CivilTime
internal import ObjectStore

// Dates and floating times mean other moments in another time zone.

extension AlertTimes {
    /// The number of changes of the time zone since the start.
    package var zoneChanges: Int { zone.changes }

    /// Sets the moments that the dates and the floating times of open items mean in the current time zone.
    ///
    /// - Returns: whether another call is needed. One call saves a batch of items at most.
    package func refreshLocalTimes() throws -> Bool {
        do {
            return try setMomentsOfLocalTimes()
        } catch {
            context.rollback()
            throw error
        }
    }

    private func setMomentsOfLocalTimes() throws -> Bool {
        let zone = zone.current
        var room = Self.itemsPerBatch
        // There are far fewer dates than items.
        let withDue = ToDo.where { !$0.completed && $0.dueLocal != nil }
        for text in try context.rows(withDue, of: \.dueLocal, distinct: true).compactMap(\.self) {
            guard room > 0, let due = LocalTime(text)?.moment(in: zone) else { continue }
            let moved = ToDo.where { !$0.completed && $0.dueLocal == text && $0.dueDate != due }
            room -= try setMoments(of: moved.limit(room), in: zone)
        }
        let withStart = ToDo.where { !$0.completed && $0.startLocal != nil }
        for text in try context.rows(withStart, of: \.startLocal, distinct: true).compactMap(\.self) {
            guard room > 0, let start = LocalTime(text)?.firstMoment(in: zone) else { continue }
            let moved = ToDo.where { !$0.completed && $0.startLocal == text && $0.startDate != start }
            room -= try setMoments(of: moved.limit(room), in: zone)
        }
        if room < Self.itemsPerBatch { try context.save() }
        return room == 0
    }

    /// Sets the moments of the items of a request, and returns their number.
    private func setMoments(of request: FetchRequest<ToDo>, in zone: TimeZoneRules) throws -> Int {
        let items = try context.fetch(request)
        for item in items { item.setMomentsOfLocalTimes(in: zone) }
        return items.count
    }
}
