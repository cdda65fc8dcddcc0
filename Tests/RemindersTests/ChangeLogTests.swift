import CivilTime
import ObjectStore
import Testing

@testable import Reminders

/// A store in memory, and changes that are made as the daemon makes them.
private final class Fixture {
    static let start = Timestamp(secondsSince1970: 1_795_194_000)

    let context: ManagedObjectContext
    let changes: ChangeLog
    let points: AlertTimes
    var now = start

    init(
        bytesLimit: Int = ChangeLog.bytesLimit, changeBytesLimit: Int = ChangeLog.changeBytesLimit
    ) throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.memory)
        context = ManagedObjectContext(coordinator: coordinator)
        points = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
            Fixture.start
        }
        changes = ChangeLog(
            context: context, bytesLimit: bytesLimit, changeBytesLimit: changeBytesLimit)
    }

    @discardableResult
    func change<Result>(
        _ method: String, _ body: () throws -> Result
    ) throws -> Result {
        try changes.trim()
        let result = try body()
        now = now + 1
        try context.recordModifications(at: now)
        #expect(try changes.record(method, at: now))
        try context.save()
        return result
    }

    @discardableResult
    func add(_ name: String, dueIn seconds: Double? = nil, leads: [Int32] = []) throws -> ToDo {
        try change("AddItem") {
            let item = try context.insertToDo(at: now)
            item.name = name
            item.dueDate = seconds.map { Self.start + $0 }
            try item.setLeads(leads)
            return item
        }
    }

    @discardableResult
    func addCategory(_ name: String) throws -> Category {
        try change("AddCategory") {
            let category = try context.insertCategory(at: now)
            category.name = name
            return category
        }
    }

    func undo(_ count: Int = 1) throws -> [String] { try replay { try changes.undo(count, at: now) } }
    func redo(_ count: Int = 1) throws -> [String] { try replay { try changes.redo(count, at: now) } }

    private func replay(_ body: () throws -> [ChangeLog.Entry]) throws -> [String] {
        do {
            let entries = try body()
            try context.save()
            return entries.map(\.summary)
        } catch {
            context.rollback()
            throw error
        }
    }

    func item(_ id: Int64) throws -> ToDo { try #require(try context.object(of: ToDo.self, id: id)) }

    /// All values that a person has set.
    func state() throws -> [String] {
        let items = try context.objects(of: ToDo.self, orderedBy: [FetchOrder("id")]).map { item in
            let leads = item.alarms.map { "\($0.id):\($0.offset)" }.sorted()
            return "\(item.id) \(item.uid) \(item.name) \(item.notes ?? "-") \(item.priority) "
                + "\(item.dueDate?.secondsSince1970 ?? 0) \(item.completed) \(item.doNotAlert) "
                + "\(item.completedDate?.secondsSince1970 ?? 0) \(item.snoozedUntil?.secondsSince1970 ?? 0) "
                + "\(item.category?.name ?? "-") \(leads)"
        }
        let categories = try context.objects(of: Category.self, orderedBy: [FetchOrder("id")]).map {
            "\($0.id) \($0.uid) \($0.name) \($0.doNotAlert)"
        }
        return items + categories
    }
}

extension ChangeLog {
    /// Records the unsaved changes as one change.
    fileprivate func record(_ method: String, at now: Timestamp) throws -> Bool {
        var draft = draft()
        try draft.add()
        return try record(method, &draft, at: now)
    }
}

@Suite struct ChangeLogTests {
    /// The columns that version 5 added are not in the record, and have their defaults in the migrated item.
    @Test func changeOfVersion4IsUndoneAndRedone() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea")
        try fixture.change("UpdateItems") { item.name = "Coffee" }
        for change in try fixture.context.fetch(FetchRequest<Change>()) {
            for property in ["percentComplete", "isCancelled", "excludedDates", "addedDates"] {
                let expression = try Regex(",\"\(property)\":(0|false|\"\\[\\]\")")
                change.before = change.before.map { $0.replacing(expression, with: "") }
                change.after = change.after.map { $0.replacing(expression, with: "") }
                #expect(change.after?.contains(property) == false)
            }
        }
        try fixture.context.save()
        #expect(try fixture.undo(2) == ["renamed 'Tea' to 'Coffee'", "added 'Tea'"])
        #expect(try fixture.redo(2) == ["added 'Tea'", "renamed 'Tea' to 'Coffee'"])
        #expect(try fixture.context.fetch(FetchRequest<ToDo>()).map(\.name) == ["Coffee"])
    }

    @Test func undoRestoresTagsAndBlockers() throws {
        let fixture = try Fixture()
        let (soap, milk) = (try fixture.add("Soap"), try fixture.add("Milk"))
        let tags = try fixture.change("UpdateItems") {
            try ["errand", "home"].map { try fixture.context.insertTag($0, at: fixture.now) }
        }
        let states = {
            [soap, milk].map { item in
                "\(item.tags.map(\.name).sorted()) \(item.blockers.map(\.name).sorted())"
            }
        }
        let tagsModified = tags.map(\.modifiedDate)
        var history = [states()]
        try fixture.change("UpdateItems") {
            soap.tags.insert(tags[0])
            soap.blockers.insert(milk)
        }
        history.append(states())
        try fixture.change("UpdateItems") {
            soap.tags.remove(tags[0])
            soap.tags.insert(tags[1])
            milk.tags.insert(tags[1])
            milk.priority = 3
        }
        history.append(states())
        try fixture.change("DeleteItems") { try fixture.context.delete(milk) }
        #expect(Set(history).count == 3 && soap.blockers.isEmpty)
        #expect(try fixture.undo() == ["deleted 'Milk'"])
        let revived = try fixture.item(milk.id)
        #expect(revived.tags.map(\.name) == ["home"] && soap.blockers.map(\.name) == ["Milk"])
        _ = try fixture.undo()
        #expect(soap.tags.map(\.name) == ["errand"] && revived.tags.isEmpty && revived.priority == 0)
        _ = try fixture.undo()
        #expect(soap.tags.isEmpty && soap.blockers.isEmpty)
        _ = try fixture.redo(2)
        #expect(soap.tags.map(\.name) == ["home"] && revived.tags.map(\.name) == ["home"])
        // A tag that an item gets is no change of the tag.
        #expect(tags.map(\.modifiedDate) == tagsModified)
        soap.tags.remove(tags[1])
        try fixture.context.save()
        #expect(throws: UndoError.self) { try fixture.undo() }
    }

    /// A change of an item after its first alert was sent.
    enum ChangeAfterAlert: CaseIterable {
        case done, moved, otherLeads, deleted, moreAlerts
    }

    /// Undoing a change does not send an alert again.
    @Test(arguments: ChangeAfterAlert.allCases, [[], [300, 0]] as [[Int32]])
    func undoKeepsSentAlerts(_ kind: ChangeAfterAlert, leads: [Int32]) throws {
        let fixture = try Fixture()
        var item = try fixture.add("Tea", dueIn: 180, leads: leads)
        let due = try #require(item.dueDate)
        item.apply(
            AlertPlanner().state(
                item.alertState(AlertSettings()), afterAlertsUpTo: Fixture.start, due: due, isSent: true))
        try fixture.context.save()
        #expect(item.nextAlertDate == due)
        try fixture.change("UpdateItems") {
            switch kind {
            case .done: item.completed = true
            case .moved, .moreAlerts: item.dueDate = due + (kind == .moved ? 3_600 : 60)
            case .otherLeads: try item.setLeads([60])
            case .deleted: try fixture.context.delete(item)
            }
        }
        if kind == .moreAlerts {
            item.apply(
                AlertPlanner().state(
                    item.alertState(AlertSettings()), afterAlertsUpTo: Fixture.start, due: due + 60,
                    isSent: true))
            try fixture.context.save()
            #expect(item.nextAlertDate == due + 60)
        }
        _ = try fixture.undo()
        item = try #require(try fixture.context.object(of: ToDo.self, id: item.id))
        #expect(item.dueDate == due && item.nextAlertDate == due)
        // Reopening the item is a request for its alerts.
        try fixture.change("CompleteItems") { item.completed = true }
        try fixture.change("ReopenItems") { item.completed = false }
        #expect(item.nextAlertDate == due - 300)
    }

    /// An undo of two changes fails at the second one, so the undo of the first is rolled back.
    @Test(arguments: [[], [300, 0]] as [[Int32]])
    func itemReopenedAfterFailedUndoHasAllAlerts(leads: [Int32]) throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea", dueIn: 180, leads: leads)
        let due = try #require(item.dueDate)
        item.apply(
            AlertPlanner().state(
                item.alertState(AlertSettings()), afterAlertsUpTo: Fixture.start, due: due, isSent: true))
        try fixture.context.save()
        try fixture.change("CompleteItems") { item.completed = true }
        let other = try fixture.add("Milk")
        try fixture.change("UpdateItems") {
            item.priority = 2
            if !leads.isEmpty { try item.setLeads([600, 300, 0]) }
        }
        other.name = "Oat milk"
        try fixture.context.save()
        #expect(throws: UndoError.self) { try fixture.undo(2) }
        #expect(item.completed && item.priority == 2)
        try fixture.change("ReopenItems") { item.completed = false }
        #expect(item.nextAlertDate == due - (leads.isEmpty ? 300 : 600))
    }

    /// Alerts that were sent before an undo are not sent again after the redo, and the other way round.
    @Test(arguments: [[], [300, 0]] as [[Int32]])
    func restoredItemKeepsItsAlerts(leads: [Int32]) throws {
        let fixture = try Fixture()
        let id = try fixture.add("Tea", dueIn: 180, leads: leads).id
        let due = Fixture.start + 180
        func sendFirstAlert(of id: Int64) throws {
            let item = try fixture.item(id)
            item.apply(
                AlertPlanner().state(
                    item.alertState(AlertSettings()), afterAlertsUpTo: Fixture.start, due: due, isSent: true))
            try fixture.context.save()
            #expect(item.nextAlertDate == due)
        }
        try sendFirstAlert(of: id)
        _ = try fixture.undo()
        _ = try fixture.redo()
        #expect(try fixture.item(id).nextAlertDate == due)

        let other = try fixture.add("Rent", dueIn: 180, leads: leads).id
        try fixture.change("DeleteItems") { try fixture.context.delete(fixture.item(other)) }
        _ = try fixture.undo()
        #expect(try fixture.item(other).nextAlertDate == due - 300)
        try sendFirstAlert(of: other)
        _ = try fixture.redo()
        _ = try fixture.undo()
        #expect(try fixture.item(other).nextAlertDate == due)
    }

    @Test func undoOfDeletionRestoresItemCompletely() throws {
        let fixture = try Fixture()
        let category = try fixture.addCategory("Home")
        let item = try fixture.add("Pay the rent", dueIn: 86_400, leads: [3_600, 60])
        let (id, uid) = (item.id, item.uid)
        try fixture.change("UpdateItems") {
            item.category = category
            item.notes = "é\u{301}\n\"quoted\""
            item.snoozedUntil = Fixture.start + 500
        }
        item.lastAlertDate = Fixture.start - 100
        try fixture.context.save()
        let state = try fixture.state()
        let point = item.nextAlertDate
        try fixture.change("DeleteItems") { try fixture.context.delete(item) }
        #expect(try fixture.context.count(FetchRequest<Alarm>()) == 0)
        #expect(try fixture.undo() == ["deleted 'Pay the rent'"])
        #expect(try fixture.state() == state)
        let back = try fixture.item(id)
        #expect(back.uid == uid && back.category === category && back.nextAlertDate == point)
        #expect(back.lastAlertDate == Fixture.start - 100 && back.modifiedDate == fixture.now)
        #expect(try fixture.redo() == ["deleted 'Pay the rent'"])
        #expect(try fixture.context.count(FetchRequest<ToDo>()) == 0)
        // The id of a deleted item is never used again.
        #expect(try fixture.add("another").id > id)
    }

    @Test func undoOfDeletionSendsNoAlertAgain() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Pay the rent", dueIn: 1_800, leads: [3_600, 60])
        let id = item.id
        for alarm in item.alarms where alarm.offset == 3_600 { alarm.alertedDueDate = item.dueDate }
        item.lastAlertDate = Fixture.start - 100
        try fixture.context.save()
        try fixture.change("DeleteItems") { try fixture.context.delete(item) }
        _ = try fixture.undo()
        #expect(try fixture.item(id).nextAlertDate == Fixture.start + 1_740)
    }

    @Test func changeIsDescribedInWords() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea")
        let other = try fixture.add("Milk")
        let category = try fixture.addCategory("Home")
        let changes: [(String, String, () throws -> Void)] = [
            ("UpdateItems", "renamed 'Tea' to 'Green tea'", { item.name = "Green tea" }),
            ("UpdateItems", "changed the due time of 'Green tea'", { item.dueDate = Fixture.start + 900 }),
            ("UpdateItems", "changed the alerts of 'Green tea'", { try item.setLeads([60]) }),
            (
                "UpdateItems", "changed the notes, the priority and the category of 'Green tea'",
                {
                    item.notes = "n"
                    item.priority = 1
                    item.category = category
                }
            ),
            ("CompleteItems", "completed 2 items", { for item in [item, other] { item.completed = true } }),
            ("ReopenItems", "reopened 'Milk'", { other.completed = false }),
            ("SnoozeItems", "snoozed 'Milk'", { other.snoozedUntil = Fixture.start + 60 }),
            ("MuteItems", "muted 'Milk'", { other.doNotAlert = true }),
            ("MuteItems", "unmuted 'Milk'", { other.doNotAlert = false }),
            ("UpdateCategory", "renamed the category 'Home' to 'House'", { category.name = "House" }),
            ("UpdateCategory", "muted the category 'House'", { category.doNotAlert = true }),
            ("DeleteCategory", "deleted the category 'House'", { try fixture.context.delete(category) }),
            (
                "Import", "imported 1 item and 1 category",
                {
                    other.name = "Oat milk"
                    try fixture.context.insertCategory(at: fixture.now).name = "New"
                }
            ),
            (
                "UpdateItems", "renamed 'Oat milk' to '\(String(repeating: "x", count: 60))…'",
                { other.name = String(repeating: "x", count: 100) }
            ),
        ]
        var states = [try fixture.state()]
        for (method, _, change) in changes {
            try fixture.change(method, change)
            states.append(try fixture.state())
        }
        for (index, change) in changes.enumerated().reversed() {
            #expect(try fixture.undo() == [change.1])
            #expect(try fixture.state() == states[index], "\(change.1)")
        }
        for (index, change) in changes.enumerated() {
            #expect(try fixture.redo() == [change.1])
            #expect(try fixture.state() == states[index + 1], "\(change.1)")
        }
    }

    @Test func severalChangesAreUndoneAndNewChangeClearsRedo() throws {
        let fixture = try Fixture()
        for name in ["a", "b", "c"] { try fixture.add(name) }
        #expect(try fixture.undo(2) == ["added 'c'", "added 'b'"])
        #expect(try fixture.redo() == ["added 'b'"])
        try fixture.add("d")
        #expect(throws: UndoError.self) { try fixture.redo() }
        #expect(try fixture.undo(10) == ["added 'd'", "added 'b'", "added 'a'"])
        #expect(throws: UndoError.self) { try fixture.undo() }
        #expect(try fixture.redo(10) == ["added 'a'", "added 'b'", "added 'd'"])
    }

    /// The failing change has cleared the redo list in memory only.
    @Test func unsavedChangeLeavesNoTrace() throws {
        let fixture = try Fixture()
        try fixture.add("a")
        _ = try fixture.undo()
        try fixture.context.insertToDo(at: fixture.now).name = "b"
        #expect(try fixture.changes.record("AddItem", at: fixture.now))
        fixture.context.rollback()
        try fixture.add("c")
        #expect(throws: UndoError.self) { try fixture.redo() }
        #expect(try fixture.undo() == ["added 'c'"])
    }

    @Test func changeWithoutEffectIsNotRecorded() throws {
        let fixture = try Fixture()
        let item = try fixture.add("a")
        try fixture.change("UpdateItems") { item.name = "a" }
        item.lastAlertDate = fixture.now
        item.alertedUpTo = fixture.now
        try fixture.change("UpdateItems") {}
        #expect(try fixture.undo(5) == ["added 'a'"])
    }

    @Test func lastHundredChangesAreKept() throws {
        let fixture = try Fixture()
        for number in 0..<300 { try fixture.add("\(number)") }
        #expect(try fixture.context.count(FetchRequest<Change>()) <= ChangeLog.limit + 33)
        #expect(try fixture.undo(1_000).count == ChangeLog.limit)
        #expect(throws: UndoError.self) { try fixture.undo() }
        #expect(try fixture.context.count(FetchRequest<ToDo>()) == 200)
    }

    @Test func longChangesAreDroppedEarlier() throws {
        let limit = 100_000
        let fixture = try Fixture(bytesLimit: limit)
        try fixture.add("short")
        // Each change of the item takes a fourth of the limit: half of that for the state before, and half
        // for the state after.
        let item = try fixture.add(String(repeating: "x", count: limit / 9))
        for number in 1...6 { try fixture.change("UpdateItems") { item.priority = Int16(number) } }
        try fixture.add("last")
        let kept = try fixture.context.rows(FetchRequest<Change>(), of: ["before", "after"])
        let bytes = kept.reduce(0) { sum, row in
            sum + row.values.reduce(0) { $0 + (String(attributeValue: $1)?.utf8.count ?? 0) }
        }
        #expect(bytes <= limit && bytes > limit / 2)
        #expect(try fixture.undo(100).count == 5)
        #expect(try fixture.item(1).name == "short" && item.priority == 2)
        // A log that has just been opened finds the same in the store.
        let log = ChangeLog(context: fixture.context, bytesLimit: limit)
        _ = try log.redo(100, at: fixture.now)
        try fixture.context.save()
        for number in 7...9 {
            try log.trim()
            item.priority = Int16(number)
            #expect(try log.record("UpdateItems", at: fixture.now))
            try fixture.context.save()
        }
        try log.trim()
        // Four changes of a fourth each are slightly less than the limit.
        let undone = try log.undo(100, at: fixture.now).count
        #expect((4...5).contains(undone), "\(undone)")
    }

    @Test func droppedChangesDoNotCount() throws {
        var sizes = try ChangeSizes(try Fixture().context)
        for number in 1...10 { sizes.record(Int64(number), 10) }
        sizes.keep(5...10)
        #expect(sizes.total == 60)
        #expect(sizes.firstKept(upTo: 10, bytes: 30) == 8)
    }

    @Test func changeBeyondLimitIsNotRecorded() throws {
        let fixture = try Fixture(changeBytesLimit: 10_000)
        let item = try fixture.context.insertToDo(at: fixture.now)
        item.name = "long"
        item.notes = String(repeating: "x", count: 10_000)
        #expect(try !fixture.changes.record("AddItem", at: fixture.now))
        item.notes = String(repeating: "x", count: 9_000)
        #expect(try fixture.changes.record("AddItem", at: fixture.now))
    }

    /// A change that is saved in several batches is one change, even if batches change the same objects.
    @Test func changeInBatchesIsUndoneAsOne() throws {
        let fixture = try Fixture()
        let context = fixture.context
        try fixture.addCategory("old")
        let known = try fixture.add("known", dueIn: 60)
        let before = try fixture.state()
        var draft = fixture.changes.draft()
        for number in 1...5 {
            let category =
                try context.object(of: Category.self, id: 2) ?? context.insertCategory(at: fixture.now)
            category.name = "new \(number)"
            try #require(try context.object(of: Category.self, id: 1)).name = "old \(number)"
            let item = try context.insertToDo(at: fixture.now)
            item.name = "item \(number)"
            item.category = category
            try item.setLeads([60, 3_600])
            if number == 3 { known.category = category }
            try draft.add()
            try context.save()
        }
        #expect(draft.itemCount == 6)
        #expect(try fixture.changes.record("Import", &draft, at: fixture.now))
        try context.save()
        let after = try fixture.state()
        for _ in 1...2 {
            #expect(try fixture.undo() == ["imported 6 items and 2 categories"])
            #expect(try fixture.state() == before)
            #expect(try fixture.redo() == ["imported 6 items and 2 categories"])
            #expect(try fixture.state() == after)
        }
    }

    /// Otherwise the texts of a hundred changes would be in memory together.
    @Test func undoneChangesAreSavedInBatches() throws {
        let fixture = try Fixture()
        let item = try fixture.add("x")
        let notes = String(repeating: "n", count: 600_000)
        for number in 1...4 {
            try fixture.change("UpdateItems") { item.notes = "\(number)\(notes)" }
        }
        var batches: [Int] = []
        let entries = try fixture.changes.undo(5, at: fixture.now) { done in
            batches.append(done.count)
            try fixture.context.save()
        }
        try fixture.context.save()
        #expect(entries.count == 5 && batches == [1, 2, 3])
        #expect(try fixture.context.count(FetchRequest<ToDo>()) == 0)
    }

    // MARK: - Conflicts

    /// Changes that the log has not recorded.
    @Test(arguments: [
        ("name", "its name has changed since"), ("due", "its due time has changed since"),
        ("several", "its notes and its priority have changed since"),
        ("leads", "its alerts have changed since"), ("gone", "it no longer exists"),
    ])
    func itemChangedSinceIsLeftUnchanged(edit: String, reason: String) throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea", dueIn: 900, leads: [60])
        switch edit {
        case "name": item.name = "Coffee"
        case "due": item.dueDate = Fixture.start + 1_800
        case "several": (item.notes, item.priority) = ("n", 3)
        case "leads": try item.setLeads([120])
        default: try fixture.context.delete(item)
        }
        try fixture.context.save()
        let state = try fixture.state()
        let error = #expect(throws: UndoError.self) { try fixture.undo() }
        guard case .conflict(let conflict)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(conflict.summary == "added 'Tea'" && conflict.item == item.id && conflict.reason == reason)
        #expect(try fixture.state() == state)
    }

    @Test func missingOrUsedCategoryIsLeftUnchanged() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea")
        let category = try fixture.addCategory("Home")
        item.category = category
        try fixture.context.save()
        #expect(throws: UndoError.self) { try fixture.undo() }
        try fixture.change("UpdateItems") { item.category = nil }
        try fixture.context.delete(category)
        try fixture.context.save()
        #expect(throws: UndoError.self) { try fixture.undo() }
    }

    /// An import uses the modification date to find the later state.
    @Test func restoredObjectIsModifiedNow() throws {
        let fixture = try Fixture()
        let (item, category) = (try fixture.add("Tea"), try fixture.addCategory("Home"))
        let ids = (item.id, category.id)
        try fixture.change("DeleteItems") {
            try fixture.context.delete(item)
            try fixture.context.delete(category)
        }
        fixture.now = fixture.now + 3_600
        _ = try fixture.undo()
        #expect(try fixture.item(ids.0).modifiedDate == fixture.now)
        #expect(try fixture.context.object(of: Category.self, id: ids.1)?.modifiedDate == fixture.now)
    }

    /// Lead times that were added without the log would be lost without a trace.
    @Test func itemWithUnrecordedLeadTimesIsLeftUnchanged() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea", dueIn: 900)
        try item.setLeads([60])
        try fixture.context.save()
        #expect(throws: UndoError.self) { try fixture.undo() }
        #expect(try fixture.item(item.id).alarms.map(\.offset) == [60])
    }

    /// Another program has added an item with this id.
    @Test func deletedItemIsNotRestoredIfItsIDIsTaken() throws {
        let fixture = try Fixture()
        let id = try fixture.add("Tea").id
        try fixture.change("DeleteItems") { try fixture.context.delete(fixture.item(id)) }
        let other = try #require(try fixture.context.insert(entity: "ToDo", id: id) as? ToDo)
        (other.uid, other.name) = ("other", "Coffee")
        (other.createdDate, other.modifiedDate) = (fixture.now, fixture.now)
        try fixture.context.save()
        let error = #expect(throws: UndoError.self) { try fixture.undo() }
        guard case .conflict(let conflict)? = error else { return #expect(Bool(false)) }
        #expect(conflict.item == id && conflict.reason == "it already exists")
        #expect(try fixture.item(id).name == "Coffee")
    }

    @Test func recordsOfDaemonAreNoConflict() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea", dueIn: 900)
        try fixture.change("SnoozeItems") { item.snoozedUntil = Fixture.start + 60 }
        item.snoozedUntil = nil
        item.lastAlertDate = Fixture.start + 60
        item.alertedUpTo = item.dueDate
        try fixture.context.save()
        #expect(try fixture.undo() == ["snoozed 'Tea'"])
        #expect(item.lastAlertDate == Fixture.start + 60)
        // The end of the snooze is in the past now.
        fixture.now = fixture.now + 3_600
        #expect(try fixture.redo() == ["snoozed 'Tea'"])
        #expect(item.snoozedUntil == nil)
    }

    @Test func undoOfCompletionRestoresSnooze() throws {
        let fixture = try Fixture()
        let item = try fixture.add("Tea", dueIn: 900)
        try fixture.change("SnoozeItems") { item.snoozedUntil = Fixture.start + 600 }
        try fixture.change("CompleteItems") { item.completed = true }
        #expect(item.snoozedUntil == nil)
        _ = try fixture.undo()
        #expect(item.snoozedUntil == Fixture.start + 600 && item.nextAlertDate == item.snoozedUntil)
    }

    @Test func largeChangeStopsUndo() throws {
        let fixture = try Fixture()
        try fixture.add("a")
        try fixture.changes.recordLarge("Import", items: 20_000, backup: "/copy", at: fixture.now)
        try fixture.context.save()
        try fixture.add("b")
        #expect(try fixture.undo(3) == ["added 'b'"])
        let error = #expect(throws: UndoError.self) { try fixture.undo() }
        guard case .tooLarge(let summary, let backup)? = error else { return #expect(Bool(false)) }
        #expect(summary == "Import of 20000 items" && backup == "/copy")
    }

    @Test func unreadableChangeIsNotUndone() throws {
        let fixture = try Fixture()
        let change = try fixture.context.insert(Change.self)
        (change.sequence, change.madeDate, change.method) = (1, fixture.now, "AddItem")
        change.after = "{\"id\":1}"
        try fixture.context.save()
        let error = #expect(throws: UndoError.self) { try fixture.undo() }
        guard case .unreadable(method: "AddItem")? = error else { return #expect(Bool(false)) }
    }

    // MARK: - Every property

    /// The log has to support the type of every property that is added to the model.
    @Test func everyPropertyIsWrittenAndRead() throws {
        let fixture = try Fixture()
        let item = try fixture.add("x", dueIn: 0.125, leads: [0])
        item.category = try fixture.addCategory("c")
        let values: [AttributeType: AttributeValue] = [
            .string: .string("é \"\\ \u{1F9FE}\u{1}"), .date: .date(.init(secondsSince1970: 1.25)),
            .boolean: .boolean(true), .integer16: .integer(9), .integer32: .integer(.init(Int32.max)),
            .integer64: .integer(.max), .binary: .binary([0, 10, 127, 255]),
        ]
        for object in [item, try #require(item.category), try #require(item.alarms.first { _ in true })] {
            for column in object.entity.columns {
                guard case .attribute = column.content else { continue }
                try object.setValue(try #require(values[column.type], "\(column.name)"), of: column.name)
            }
        }
        let model = fixture.context.model
        var draft = fixture.changes.draft()
        try draft.add()
        let record = try ChangeRecord(of: fixture.context)
        let texts = draft.takeTexts()
        let read = try #require(ChangeRecord(before: texts.before, after: texts.after, model))
        #expect(read.names.map(\.entity) == ["Category", "ToDo", "Alarm"])
        for name in record.names {
            let (wanted, found) = (try #require(record.after[name]), try #require(read.after[name]))
            for column in wanted.entity.columns { #expect(found[column.name] == wanted[column.name]) }
        }
    }

    // MARK: - Random changes

    @Test(arguments: 1...20) func randomChangesAreUndoneAndRedone(seed: UInt64) throws {
        var random = Random(state: seed)
        let fixture = try Fixture()
        var states = [try fixture.state()]
        while states.count < 40 {
            try change(fixture, &random)
            let state = try fixture.state()
            if state != states.last { states.append(state) }
        }
        var position = states.count - 1
        for _ in 0..<60 {
            let count = Int(random.next(5)) + 1
            if random.next(2) == 0 {
                let done = position == 0 ? 0 : try fixture.undo(count).count
                position -= done
            } else {
                let done = position == states.count - 1 ? 0 : try fixture.redo(count).count
                position += done
            }
            #expect(try fixture.state() == states[position])
        }
    }

    private func change(_ fixture: Fixture, _ random: inout Random) throws {
        let items = try fixture.context.objects(of: ToDo.self, orderedBy: [FetchOrder("id")])
        let categories = try fixture.context.objects(of: Category.self, orderedBy: [FetchOrder("id")])
        let chosen = items.filter { _ in random.next(4) == 0 }
        let category = categories.isEmpty ? nil : categories[Int(random.next(UInt64(categories.count)))]
        let number = random.next(1_000)
        switch random.next(9) {
        case 0: try fixture.add("item \(number)", dueIn: Double(number), leads: [Int32(number)])
        case 1: if categories.allSatisfy({ $0.name != "\(number)" }) { try fixture.addCategory("\(number)") }
        case 2: try fixture.change("DeleteItems") { for item in chosen { try fixture.context.delete(item) } }
        case 3: try fixture.change("CompleteItems") { for item in chosen { item.completed.toggle() } }
        case 4: try fixture.change("UpdateItems") { for item in chosen { item.category = category } }
        case 5:
            try fixture.change("UpdateItems") {
                for item in chosen { try item.setLeads([Int32(number), 5]) }
            }
        case 6:
            try fixture.change("UpdateItems") {
                for item in chosen {
                    item.dueDate = Fixture.start + Double(number)
                    item.notes = "notes \(number)"
                }
            }
        case 7:
            try fixture.change("SnoozeItems") {
                for item in chosen where !item.completed {
                    item.snoozedUntil = Fixture.start + 10_000 + Double(number)
                }
            }
        default:
            guard let category else { return }
            try fixture.change("DeleteCategory") { try fixture.context.delete(category) }
        }
    }
}

/// A random number generator with the same numbers in every run.
private struct Random {
    var state: UInt64

    mutating func next(_ limit: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % limit
    }
}
