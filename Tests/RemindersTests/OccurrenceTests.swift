import CivilTime
import ObjectStore
import Testing

@testable import Reminders

/// The completions that an item records.
@Suite struct OccurrenceTests {
    private let berlin = TimeZoneRules(named: "Europe/Berlin") ?? .utc
    private let context: ManagedObjectContext

    init() throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(RFC3339.moment(text)) }

    private func item(_ due: String, _ rule: String?, isAfterDone: Bool = false) throws -> ToDo {
        let item = try context.insertToDo(at: try moment("2026-11-01T09:00:00Z"))
        item.name = "x"
        var schedule = Schedule()
        schedule.setDue(CalendarTime(due), in: berlin)
        schedule.rule = try rule.map { try RecurrenceRule($0) }
        schedule.isAfterDone = isAfterDone
        item.schedule = schedule
        return item
    }

    /// Returns the due times of the completions in the API, in their order.
    private func dues(_ item: ToDo) -> [String?] {
        item.completionValues.map { value in
            (value.isSkipped ? "-" : "") + (value.due?.text(in: berlin) ?? "")
        }
    }

    @Test func itemThatDoesNotRepeatHasNoCompletions() throws {
        let item = try item("2026-11-27", nil)
        try item.complete(at: try moment("2026-11-27T09:00:00Z"), in: berlin)
        #expect(item.completed && dues(item) == [])
    }

    /// The moments of dates and floating times are those of the zone in which the item is completed.
    @Test(arguments: [
        ("2026-11-27", "2026-11-28"), ("2026-11-27T20:00:00", "2026-11-28T20:00:00"),
        ("2026-11-27T20:00:00+01:00", "2026-11-28T20:00:00+01:00"),
    ])
    func eachOccurrenceIsRecordedOnce(due: String, next: String) throws {
        let tokyo = try #require(TimeZoneRules(named: "Asia/Tokyo"))
        let item = try item(due, "FREQ=DAILY;COUNT=3")
        try item.complete(at: try moment("2026-11-27T08:00:00+01:00"), in: berlin)
        #expect(!item.completed && item.completedDate == nil && dues(item) == [due])
        item.dueDate = item.dueTime?.moment(in: tokyo)
        #expect(try item.skipOccurrence(at: try moment("2026-11-28T01:00:00+01:00"), in: tokyo))
        #expect(dues(item) == [due, "-\(next)"])
        #expect(try !item.skipOccurrence(at: try moment("2026-11-29T01:00:00+01:00"), in: tokyo))
        #expect(dues(item).count == 2)
        let last = try moment("2026-11-29T02:00:00+01:00")
        try item.complete(at: last, in: tokyo)
        #expect(item.completed && item.completedDate == last)
        #expect(item.completionValues.map(\.date).last == last && dues(item).count == 3)
        let moments = try item.completions.all().map { $0.dueDate == nil }
        #expect(moments == [false, false, false])
        try context.save()
        try item.reopen()
        #expect(!item.completed && dues(item) == [due, "-\(next)"])
    }

    @Test func completionOfRuleAfterDoneHasItsDueTime() throws {
        let item = try item("2026-11-20", "FREQ=WEEKLY", isAfterDone: true)
        try item.complete(at: try moment("2026-11-24T08:00:00+01:00"), in: berlin)
        try item.complete(at: try moment("2026-12-03T08:00:00+01:00"), in: berlin)
        #expect(dues(item) == ["2026-11-20", "2026-12-01"])
        #expect(item.dueLocal == "2026-12-10")
    }

    /// An item with few completions is found without reading those of other items.
    @Test func lastCompletionUsesIndexOfItem() throws {
        let scratch = try Scratch()
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: scratch.path("todo.sqlite")))
        let context = ManagedObjectContext(coordinator: coordinator)
        let item = try context.insertToDo(at: try moment("2026-11-01T09:00:00Z"))
        item.name = "x"
        try context.save()
        let (begin, end) = (try moment("2026-11-01T09:00:00Z"), try moment("2026-11-02T09:00:00Z"))
        for request in [
            Completion.where { $0.toDo == item && !$0.isSkipped },
            Completion.where { $0.toDo == item && $0.date >= begin && $0.date < end },
        ] {
            let last = request.ordered(by: \.date, ascending: false).limit(1)
            let plan = try context.explanation(of: last).plan.joined(separator: "; ")
            #expect(plan.contains("INDEX Completion toDo (toDo=?)") && !plan.contains("SCAN"), "\(plan)")
        }
        coordinator.close()
    }

    /// Another program may have truncated the time of completion.
    @Test func reopenedSeriesLosesLastCompletion() throws {
        let item = try item("2026-11-27", "FREQ=DAILY;COUNT=2")
        try item.complete(at: try moment("2026-11-27T08:00:00.25+01:00"), in: berlin)
        try item.complete(at: try moment("2026-11-28T08:00:00.25+01:00"), in: berlin)
        try context.save()
        item.completedDate = try moment("2026-11-28T08:00:00+01:00")
        try item.reopen()
        try context.save()
        #expect(dues(item) == ["2026-11-27"])
        #expect(try context.count(Completion.all) == 1)
    }

    @Test func equalCompletionsStayTheSameObjects() throws {
        let item = try item("2026-11-27", "FREQ=DAILY")
        for _ in 1...3 { try item.complete(at: try moment("2026-11-27T08:00:00+01:00"), in: berlin) }
        try context.save()
        let ids = Set(try item.completions.all().map(\.id))
        var values = item.completionValues
        try item.setCompletions(values, in: berlin)
        #expect(!context.hasChanges)
        values[0].date = values[0].date - 60
        try item.setCompletions(values, in: berlin)
        #expect(item.completionValues == values.sorted())
        #expect(Set(try item.completions.all().map(\.id)).intersection(ids).count == 2)
    }
}
