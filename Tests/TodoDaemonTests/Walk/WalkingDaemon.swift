import CivilTime
import Dispatch
import Foundation
import ObjectStore
import Reminders

@testable import Alerts
@testable import TodoService

/// The components of a daemon with a real store, which a test can crash and restart.
final class WalkingDaemon {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "todod-\(UUID().uuidString)")
    private let queue = DispatchQueue(label: "test.walk")
    private let log = Log(to: { _ in true })
    private var settings = ServiceSettings()
    let clock = ManualClock()
    private(set) var sink = ManualSink()
    private var parts: Parts

    private struct Parts {
        let coordinator: PersistentStoreCoordinator
        let service: ServiceContext
        let alertTimes: AlertTimes
        let loop: AlertLoop
    }

    var now: Timestamp { clock.now }
    var context: ManagedObjectContext { parts.service.store.context }
    var service: ServiceContext { parts.service }
    var alertTimes: AlertTimes { parts.alertTimes }
    /// The effects of the changes.
    let effects = Effects()

    final class Effects {
        var closed: [Int64] = []
        var checkCount = 0
    }

    init() throws {
        parts = try Self.open(directory, queue, clock, log, settings, sink, effects)
    }

    private static func open(
        _ directory: URL, _ queue: DispatchQueue, _ clock: ManualClock, _ log: Log,
        _ settings: ServiceSettings, _ sink: ManualSink, _ effects: Effects
    ) throws -> Parts {
        let store = StoreConfiguration.sqlite(path: directory.appending(path: "todo.sqlite").path)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let now: @Sendable () -> Timestamp = { clock.now }
        let zone = LocalZone(.utc)
        let service = ServiceContext(
            ServiceContext.SharedValues(
                queue: queue, store: store, now: now, zone: zone, defaultTime: settings.defaultTime, log: log),
            context: context,
            events: ServiceEvents(
                itemsDidSave: { effects.checkCount += 1 }, closeAlerts: { effects.closed += $0 }))
        let alertTimes = AlertTimes(
            context: context, planner: AlertPlanner(settings: settings.alerts), zone: zone, now: now)
        let loop = try AlertLoop(
            context: context, alertTimes: alertTimes, sink: sink, schedule: .minutes, queue: queue,
            zone: zone,
            now: now, log: log)
        queue.sync {
            loop.apply(settings.alerts, quietHours: nil, breakThrough: settings.breakThrough)
        }
        return Parts(coordinator: coordinator, service: service, alertTimes: alertTimes, loop: loop)
    }

    /// Closes the store and opens it again, so that everything that is not stored is lost.
    func restart() throws {
        parts.coordinator.close()
        sink = ManualSink()
        parts = try Self.open(directory, queue, clock, log, settings, sink, effects)
    }

    deinit {
        parts.coordinator.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Changes the settings, as a reload does.
    func use(_ change: (inout ServiceSettings) -> Void) {
        change(&settings)
        let settings = settings
        queue.sync {
            parts.service.times.defaultTime = settings.defaultTime
            parts.loop.apply(settings.alerts, quietHours: nil, breakThrough: settings.breakThrough)
        }
        // The alert times of many items are computed in several batches.
        queue.sync {}
    }

    func beQuiet(until end: Timestamp?) throws {
        let now = now
        try queue.sync {
            try parts.loop.changeDoNotDisturb {
                if let end { $0.begin(at: now, until: end) } else { $0.end(at: now, zone: .utc) }
            }
        }
    }

    // MARK: - Checks

    /// Runs a check and returns its alerts.
    func check(isTick: Bool) -> [Alert] {
        let count = sink.batches.count
        queue.sync { isTick ? _ = parts.loop.evaluate() : parts.loop.evaluateIfDue() }
        return sink.batches.dropFirst(count).flatMap(\.alerts)
    }

    /// Delivers all pending alerts and records them.
    func finish(deliversAll: Bool = true) {
        sink.finish(deliversAll: deliversAll)
        queue.sync {}
    }

    // MARK: - Changes

    @discardableResult
    func change<Result>(_ method: String, _ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try queue.sync { try parts.service.changes.change(method) { try body(context) } }
    }

    func undo() throws {
        _ = try queue.sync { try parts.service.changes.replay { changes, _ in try changes.undo(1, at: now) } }
    }

    func redo() throws {
        _ = try queue.sync { try parts.service.changes.replay { changes, _ in try changes.redo(1, at: now) } }
    }

    func items() throws -> [ToDo] {
        try context.objects(of: ToDo.self, orderedBy: [FetchOrder("id")])
    }

    func item(_ id: Int64) throws -> ToDo? { try context.object(of: ToDo.self, id: id) }
}
