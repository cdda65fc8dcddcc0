import CivilTime
import Dispatch
import Foundation
import ObjectStore
import Reminders
import Synchronization
import Systemd

@testable import Alerts

/// A clock that advances only when a test moves it.
final class ManualClock: Sendable {
    /// Friday 2026-11-20 17:00 UTC.
    static let start = Timestamp(secondsSince1970: 1_795_194_000)

    private let time = Mutex(start)
    var now: Timestamp { time.withLock { $0 } }
    func advance(_ seconds: Double) { time.withLock { $0 = $0 + seconds } }
}

/// Records alerts, and reports them as delivered only when the test asks for it.
final class ManualSink: AlertSink {
    private struct Pending {
        let batch: AlertBatch
        let delivered: @Sendable ([Alert]) -> Void
    }

    private let pending = Mutex<[Pending]>([])

    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        pending.withLock { $0.append(Pending(batch: batch, delivered: delivered)) }
    }

    var batches: [AlertBatch] { pending.withLock { $0.map(\.batch) } }
    var sentNames: [String] { batches.flatMap(\.alerts).map(\.name) }

    /// Reports every pending alert as delivered or not, and drops it.
    func finish(deliversAll: Bool = true) {
        let all = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for entry in all { entry.delivered(deliversAll ? entry.batch.alerts : []) }
    }
}

extension AlertSettings {
    /// One alert for each item, five minutes before it is due, for tests of other features.
    static var oneLead: AlertSettings {
        var settings = AlertSettings()
        settings.leads = [.minutes(5)]
        return settings
    }
}

/// The loop with a manual clock, a recording sink and a real store.
final class AlertLoopFixture {
    let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
    let queue = DispatchQueue(label: "test")
    let clock = ManualClock()
    let sink = ManualSink()
    /// The destination of alerts: `sink`, unless the test has another one.
    private let place: any AlertSink
    /// The logged lines.
    let lines = KeptLog()
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext
    private(set) var loop: AlertLoop
    private let alertTimes: AlertTimes
    private let configure: (AlertLoop) -> Void
    /// The reaction to a fault of the store.
    let faults = Faults()

    final class Faults {
        var didOccur: () -> Void = {}
    }

    private let zone: LocalZone
    var path: String { directory.appending(path: "todo.sqlite").path }

    init(
        _ settings: AlertSettings = .oneLead, quietHours: QuietHours? = nil,
        breakThrough: Int16? = nil, place: (any AlertSink)? = nil, zone: TimeZoneRules = .utc
    ) throws {
        self.zone = LocalZone(zone)
        self.place = place ?? sink
        coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: directory.appending(path: "todo.sqlite").path))
        // As in the daemon, a locked store is an error immediately.
        coordinator.waitForLocks(seconds: 0)
        context = ManagedObjectContext(coordinator: coordinator)
        let clock = clock
        alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: self.zone) { clock.now }
        loop = try AlertLoop(
            context: context, alertTimes: alertTimes, sink: self.place, schedule: .minutes, queue: queue,
            zone: self.zone, now: { clock.now }, log: lines.log,
            faultDidOccur: { [faults] in faults.didOccur() })
        configure = { [queue] loop in
            queue.sync { loop.apply(settings, quietHours: quietHours, breakThrough: breakThrough) }
        }
        configure(loop)
    }

    /// Continues with a loop that knows only the contents of the store.
    func restart() throws {
        let clock = clock
        loop = try AlertLoop(
            context: context, alertTimes: alertTimes, sink: place, schedule: .minutes, queue: queue,
            zone: self.zone, now: { clock.now }, log: lines.log,
            faultDidOccur: { [faults] in faults.didOccur() })
        configure(loop)
    }

    func apply(_ settings: AlertSettings, quietHours: QuietHours?, breakThrough: Int16?) {
        queue.sync { loop.apply(settings, quietHours: quietHours, breakThrough: breakThrough) }
    }

    func changeDoNotDisturb(_ change: (inout DoNotDisturb) -> Void) throws {
        try queue.sync { try loop.changeDoNotDisturb(change) }
    }

    deinit {
        coordinator.close()
        try? FileManager.default.removeItem(at: directory)
    }

    @discardableResult
    func add(_ name: String, dueIn seconds: Double, _ change: (ToDo) throws -> Void = { _ in }) throws -> ToDo
    {
        let item = try context.insertToDo(at: clock.now)
        item.name = name
        item.dueDate = clock.now + seconds
        try change(item)
        try context.save()
        return item
    }

    /// Runs a check, delivers every alert, and returns the batches after they are recorded.
    func batches() -> [AlertBatch] {
        queue.sync { _ = loop.evaluate() }
        let batches = sink.batches
        sink.finish()
        queue.sync {}
        return batches
    }

    /// Runs a check, delivers every alert, and returns the names of the items after they are recorded.
    func tick() -> [String] { batches().flatMap(\.alerts).map(\.name) }

    /// Runs one check each minute for this many minutes, and returns the delivered alerts: `5 x due-soon`.
    func ticks(_ count: Int) -> [String] {
        var sent: [String] = []
        for minute in 1...count {
            clock.advance(60)
            sent += batches().flatMap(\.alerts).map { "\(minute) \($0.name) \($0.kind.rawValue)" }
        }
        return sent
    }
}
