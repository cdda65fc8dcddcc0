import CivilTime
import Foundation
import ObjectStore
import Reminders
import TestSupport
import Testing

@testable import Alerts
@testable import TodoService

/// Random sequences of edits, clock changes and crashes over months, compared with a slow and simple model. Every
/// check sends the same alerts as the model, and every stored alert time equals that of the model.
@Suite struct AlertWalkTests {
    /// `TODOD_WALKS=1000 swift test --filter AlertWalkTests` tries more seeds.
    static let seeds: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["TODOD_WALKS"].flatMap { UInt64($0) } ?? 8)

    @Test(arguments: seeds) func daemonAgreesWithModelOverMonths(seed: UInt64) throws {
        var walk = try AlertWalk(seed: seed)
        for step in 0..<400 {
            let isRight = try walk.step()
            guard isRight else {
                let past = walk.history.suffix(40).joined(separator: "\n")
                Issue.record("seed \(seed), step \(step): \(walk.trouble)\n\(past)")
                return
            }
        }
        #expect(walk.alertCount > 5)
    }
}

/// One random sequence: the daemon, the model, and the history of both.
struct AlertWalk {
    private var random: SplitMix
    private let daemon: WalkingDaemon
    private var model = WalkModel()
    private(set) var history: [String] = []
    private(set) var trouble = ""
    private(set) var alertCount = 0
    private var categories: [Int64] = []

    init(seed: UInt64) throws {
        random = SplitMix(state: seed)
        daemon = try WalkingDaemon()
        for name in ["Home", "Work"] {
            categories.append(
                try daemon.change("AddCategory") { context in
                    let category = try context.insertCategory(at: daemon.now)
                    category.name = name
                    return category
                }.id)
        }
        // The creation of the categories cannot be undone.
        model.changes = []
    }

    private var now: Double { daemon.now.secondsSince1970 }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func log(_ text: String) {
        history.append("\(now - ManualClock.start.secondsSince1970): \(text)")
    }

    // MARK: - Steps

    /// Changes the daemon and the model in one way and compares them. Returns false if they differ.
    mutating func step() throws -> Bool {
        switch roll(100) {
        case 0..<48: return try pass(time: Double(60 * (1 + roll(4))))
        case 48..<56: return try pass(time: Double(60 * roll(1_500)))
        case 56..<58: return try pass(time: Double(86_400 * roll(40)))
        case 58..<60: return try pass(time: -Double([1, 600, 3_600, 86_400][roll(4)]))
        case 60..<62: return try start()
        case 62..<65: try reload()
        case 65..<67: try beQuiet()
        case 67..<70: try muteCategory()
        case 70..<77: try undoOrRedo()
        case 77..<84: try add()
        default: try edit()
        }
        return try check(isTick: false)
    }

    private mutating func pass(time seconds: Double) throws -> Bool {
        daemon.clock.advance(seconds)
        log("the clock moves by \(seconds)")
        if seconds < -60 {
            model.clockWasSetBack(at: now)
        }
        return try check(isTick: true)
    }

    private mutating func check(isTick: Bool) throws -> Bool {
        if isTick { model.recordQuiet(at: now) }
        let expected = model.check(at: now)
        let found = daemon.check(isTick: isTick)
        let sent = found.map { WalkModel.SentAlert(id: $0.itemID, kind: $0.kind.rawValue) }
        guard sent == expected else {
            trouble = "sent \(sent), expected \(expected)"
            return false
        }
        let hasCrashed = try !found.isEmpty && !deliver(found)
        return hasCrashed ? try start() : try comparePoints()
    }

    /// Delivers the alerts or not, or simulates a crash before they are recorded. Items may change in between. Returns
    /// false after a crash.
    private mutating func deliver(_ alerts: [Alert]) throws -> Bool {
        alertCount += alerts.count
        let moment = now
        switch roll(12) {
        case 0:
            log("no sink delivers \(alerts.map(\.itemID))")
            daemon.finish(deliversAll: false)
            return true
        case 1:
            log("a crash before \(alerts.map(\.itemID)) are recorded")
            return false
        case 2...4:
            model.idsBeingSent = Set(alerts.map(\.itemID))
            log("\(alerts.map(\.itemID)) are being sent")
            for _ in 0...roll(3) {
                if roll(2) == 0 { daemon.clock.advance(60) }
                try edit()
            }
            model.idsBeingSent = []
        default: break
        }
        log("sent \(alerts.map { "\($0.itemID) \($0.kind.rawValue)" })")
        daemon.finish()
        for alert in alerts {
            model.sent(alert.itemID, due: alert.due?.secondsSince1970, at: moment, recordedAt: now)
        }
        return true
    }

    private mutating func comparePoints() throws -> Bool {
        let items = try daemon.items()
        guard items.map(\.id) == model.items.keys.sorted() else {
            trouble = "items \(items.map(\.id)), expected \(model.items.keys.sorted())"
            return false
        }
        for item in items {
            guard let expected = model.items[item.id] else { continue }
            let pairs = [
                ("next", item.nextAlertDate?.secondsSince1970, model.next(of: expected)),
                ("last", item.lastAlertDate?.secondsSince1970, expected.lastAlert),
                ("snooze", item.snoozedUntil?.secondsSince1970, expected.snoozedUntil),
                ("due", item.dueDate?.secondsSince1970, expected.due),
            ]
            for (name, found, expected) in pairs where found != expected {
                trouble = "item \(item.id): \(name) is \(text(found)), expected \(text(expected))"
                return false
            }
        }
        return true
    }

    private func text(_ moment: Double?) -> String {
        moment.map { "\($0 - ManualClock.start.secondsSince1970)" } ?? "nil"
    }

    // MARK: - Random changes

    /// Restarts the daemon, which runs a check immediately. The clock may have been changed while it did not run.
    private mutating func start() throws -> Bool {
        if roll(3) == 0 { daemon.clock.advance(Double(3_600 * (roll(60) - 30))) }
        log("a start")
        try daemon.restart()
        model.start(at: now)
        return try check(isTick: true)
    }

    private mutating func reload() throws {
        var settings = model.settings
        switch roll(4) {
        case 0: settings.leads = [[0], [300, 0], [300], [3_600, 60, 0]][roll(4)]
        case 1: settings.quiet = [0, 60, 300, 1_800][roll(4)]
        case 2: settings.nag = [nil, 60, 600, 3_600, 86_400][roll(5)]
        default: settings.breakThrough = [nil, 1, 5][roll(3)]
        }
        log("settings \(settings)")
        daemon.use {
            $0.alerts.leads = settings.leads.map { .seconds(Int($0)) }
            $0.alerts.quiet = .seconds(Int(settings.quiet))
            $0.alerts.catchUp = .seconds(Int(settings.catchUp))
            $0.alerts.nag = settings.nag.map { .seconds(Int($0)) }
            $0.breakThrough = settings.breakThrough.map { Int16($0) }
        }
        model.use(settings, at: now)
    }

    private mutating func beQuiet() throws {
        let end = roll(3) == 0 ? nil : now + Double(60 * roll(300))
        log("quiet until \(text(end))")
        try daemon.beQuiet(until: end.map(Timestamp.init(secondsSince1970:)))
        model.beQuiet(from: now, until: end)
    }

    private mutating func muteCategory() throws {
        let id = categories[roll(2)]
        let isMuted = !model.mutedCategories.contains(id)
        log("category \(id) is \(isMuted ? "" : "not ")muted")
        try daemon.change("UpdateCategory") { context in
            try context.object(of: Reminders.Category.self, id: id)?.doNotAlert = isMuted
        }
        model.mutedCategories.formSymmetricDifference([id])
        model.changes = []
        model.undone = []
    }

    private mutating func undoOrRedo() throws {
        if roll(3) > 0 {
            guard let change = model.changes.popLast() else { return }
            log("undo")
            try daemon.undo()
            model.undone.append(model.replay(change, isUndo: true, at: now))
        } else {
            guard let change = model.undone.popLast() else { return }
            log("redo")
            try daemon.redo()
            model.changes.append(model.replay(change, isUndo: false, at: now))
        }
    }

    private mutating func due() -> Double? {
        switch roll(8) {
        case 0: nil
        case 1: now - Double(roll(7_200))
        case 2...5: (now / 60).rounded() * 60 + Double(60 * roll(120))
        default: now + Double(roll(3 * 86_400))
        }
    }

    private mutating func leads() -> Set<Int> {
        Set((0..<roll(3)).map { _ in [0, 60, 300, 420, 3_600, 86_400][roll(6)] })
    }

    private mutating func add() throws {
        var item = WalkModel.Item()
        item.name = "item \(history.count)"
        item.due = due()
        item.leads = leads()
        item.priority = roll(10)
        item.category = roll(2) == 0 ? nil : categories[roll(2)]
        let before = model.items
        let id = try daemon.change("AddItem") { context in
            let object = try context.insertToDo(at: daemon.now)
            try fill(object, with: item)
            return object
        }.id
        log("add \(id), due \(text(item.due)), leads \(item.leads.sorted())")
        model.set(id, item, at: now, hasOtherAlarms: !item.leads.isEmpty)
        model.note(before)
    }

    /// Sets the attributes that differ.
    private func fill(_ object: ToDo, with item: WalkModel.Item) throws {
        object.name = item.name
        object.priority = Int16(item.priority)
        object.completed = item.isCompleted
        object.doNotAlert = item.isMuted
        object.dueDate = item.due.map(Timestamp.init(secondsSince1970:))
        object.snoozedUntil = item.snoozedUntil.map(Timestamp.init(secondsSince1970:))
        object.category = try item.category.flatMap {
            try daemon.context.object(of: Reminders.Category.self, id: $0)
        }
        if Set(object.alarms.map { Int($0.offset) }) != item.leads {
            try object.setLeads(item.leads.map { Int32($0) })
        }
    }

    private mutating func edit() throws {
        guard let id = model.items.keys.sorted().randomElement(using: &random), var item = model.items[id]
        else {
            return
        }
        let before = model.items
        if roll(12) == 0 {
            log("delete \(id)")
            try daemon.change("DeleteItems") { context in
                if let object = try daemon.item(id) { try context.delete(object) }
            }
            model.set(id, nil, at: now)
            return model.note(before)
        }
        let leads = item.leads
        switch roll(9) {
        case 0: item.name = "renamed \(history.count)"
        case 1, 2: item.due = due()
        case 3: item.leads = self.leads()
        case 4: item.isMuted.toggle()
        case 5: item.isCompleted.toggle()
        case 6: item.category = roll(2) == 0 ? nil : categories[roll(2)]
        default: if !item.isCompleted { item.snoozedUntil = now + Double(60 * (1 + roll(60))) }
        }
        log("edit \(id): \(item)")
        try daemon.change("UpdateItems") { _ in
            if let object = try daemon.item(id) { try fill(object, with: item) }
        }
        model.set(id, item, at: now, hasOtherAlarms: item.leads != leads)
        model.note(before)
    }
}
