import CivilTime
import Dispatch
import Foundation
import ObjectStore
import Reminders
import Synchronization
import Testing

@testable import TodoDaemon

/// The loop with a clock that stands still, a sink that keeps what it is given, and a real store.
@Suite struct AlertLoopTests {
    /// Friday 2026-11-20 17:00 UTC.
    static let start = Timestamp(secondsSince1970: 1_795_194_000)

    /// Takes alerts down, and tells them only when the test says so.
    final class ManualSink: AlertSink {
        private struct Pending {
            let alerts: [Alert]
            let told: @Sendable ([Alert]) -> Void
        }

        private let pending = Mutex<[Pending]>([])

        func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
            pending.withLock { $0.append(Pending(alerts: announcement.alerts, told: told)) }
        }

        var announced: [String] { pending.withLock { $0.flatMap(\.alerts).map(\.name) } }

        /// Says of everything that is pending whether it was told, and forgets it.
        func finish(toldAll: Bool = true) {
            let all = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            for entry in all { entry.told(toldAll ? entry.alerts : []) }
        }
    }

    final class ManualClock: Sendable {
        private let time = Mutex(AlertLoopTests.start)
        var now: Timestamp { time.withLock { $0 } }
        func advance(_ seconds: Double) { time.withLock { $0 = $0 + seconds } }
    }

    final class Fixture {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        let queue = DispatchQueue(label: "test")
        let clock = ManualClock()
        let sink = ManualSink()
        let coordinator: PersistentStoreCoordinator
        let context: ManagedObjectContext
        let loop: AlertLoop
        var path: String { directory.appending(path: "todo.sqlite").path }

        init() throws {
            let model = try ReminderModel.current()
            coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(
                SQLiteStore(path: directory.appending(path: "todo.sqlite").path, model: model))
            context = ManagedObjectContext(coordinator: coordinator)
            let clock = clock
            loop = AlertLoop(
                context: context, rule: try AlertRule(lead: .minutes(5), quiet: .minutes(5)), sink: sink,
                schedule: .minutes,
                queue: queue, now: { clock.now }, log: Log(usesJournal: false))
        }

        deinit {
            coordinator.close()
            try? FileManager.default.removeItem(at: directory)
        }

        @discardableResult
        func add(_ name: String, dueIn seconds: Double, _ change: (ToDo) -> Void = { _ in }) throws -> ToDo {
            let item = try context.insertToDo(at: clock.now)
            item.name = name
            item.dueDate = clock.now + seconds
            change(item)
            try context.save()
            return item
        }

        /// Looks, has everything told, and returns what was told once it is recorded.
        func tick() -> [String] {
            queue.sync { loop.evaluate() }
            let names = sink.announced
            sink.finish()
            queue.sync {}
            return names
        }
    }

    @Test(arguments: [(-1.0, false), (0, true), (1, true), (300, true), (301, false)])
    func theWindowIsFromNowToTheLead(seconds: Double, isTold: Bool) throws {
        let fixture = try Fixture()
        try fixture.add("x", dueIn: seconds)
        #expect(fixture.tick() == (isTold ? ["x"] : []))
    }

    @Test func theFirstDueIsToldFirst() throws {
        let fixture = try Fixture()
        for (name, seconds) in [("c", 200.0), ("a", 10), ("b", 100)] { try fixture.add(name, dueIn: seconds) }
        #expect(fixture.tick() == ["a", "b", "c"])
    }

    @Test func completedMutedAndUndatedItemsAreNotTold() throws {
        let fixture = try Fixture()
        try fixture.add("done", dueIn: 60) { $0.completed = true }
        try fixture.add("muted", dueIn: 60) { $0.doNotAlert = true }
        try fixture.add("undated", dueIn: 60) { $0.dueDate = nil }
        #expect(fixture.tick().isEmpty)
    }

    @Test func theQuietTimeHolds() throws {
        let fixture = try Fixture()
        fixture.loop.rule = try AlertRule(lead: .minutes(30), quiet: .minutes(5))
        let item = try fixture.add("x", dueIn: 1_800)
        #expect(fixture.tick() == ["x"])
        #expect(item.lastAlertDate == Self.start)
        for _ in 0..<5 {
            fixture.clock.advance(60)
            #expect(fixture.tick().isEmpty)
        }
        fixture.clock.advance(60)
        #expect(fixture.tick() == ["x"])
    }

    @Test func whatIsBeingToldIsNotGivenOutAgain() throws {
        let fixture = try Fixture()
        try fixture.add("x", dueIn: 60)
        fixture.queue.sync { fixture.loop.evaluate() }
        fixture.queue.sync { fixture.loop.evaluate() }
        #expect(fixture.sink.announced == ["x"])
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.tick().isEmpty)
    }

    @Test func whatReachedNobodyIsToldAtTheNextTick() throws {
        let fixture = try Fixture()
        let item = try fixture.add("x", dueIn: 240)
        fixture.queue.sync { fixture.loop.evaluate() }
        fixture.sink.finish(toldAll: false)
        fixture.queue.sync {}
        #expect(item.lastAlertDate == nil)
        fixture.clock.advance(60)
        #expect(fixture.tick() == ["x"])
        #expect(item.lastAlertDate != nil)
    }

    @Test func anItemDeletedWhileItIsToldIsNoTrouble() throws {
        let fixture = try Fixture()
        let item = try fixture.add("x", dueIn: 60)
        fixture.queue.sync { fixture.loop.evaluate() }
        try fixture.context.delete(item)
        try fixture.context.save()
        fixture.sink.finish()
        fixture.queue.sync {}
        #expect(fixture.queue.sync { fixture.loop.recordLast() })
    }

    /// The store cannot be written: nobody is told twice for it, and it is made up for when it can.
    @Test func whileRecordingFailsTheQuietTimeHoldsFromMemory() throws {
        let fixture = try Fixture()
        let item = try fixture.add("x", dueIn: 240)
        let blocker = try Blocker(path: fixture.path)
        #expect(fixture.tick() == ["x"])
        fixture.clock.advance(60)
        #expect(fixture.tick().isEmpty)
        #expect(item.lastAlertDate == nil)
        #expect(fixture.queue.sync { fixture.loop.recordLast() } == false)
        blocker.release()
        #expect(fixture.queue.sync { fixture.loop.recordLast() })
        #expect(item.lastAlertDate == Self.start)
    }
}
