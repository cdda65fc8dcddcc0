import Alerts
import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Synchronization

/// A minute check of many items, against the raw C API running the same query and writing the same rows.
struct AlertBenchmark {
    /// Friday 2026-11-20 17:00 UTC.
    private static let now = Timestamp(secondsSince1970: 1_795_194_000)
    private static let rounds = 15
    /// The rounds for few items. Their check is short, so other activity of the machine affects it more.
    private static let roundsOfFew = 200

    let directory: String
    let count: Int

    /// Reports each alert as delivered immediately.
    private struct InstantSink: AlertSink {
        func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
            delivered(batch.alerts)
        }
    }

    private final class Times: Sendable {
        let span = Mutex((begin: ContinuousClock.now, end: ContinuousClock.now))
    }

    /// Both sides of the measurement, for blocks on the queue of the loop, which owns them.
    private struct Sides: @unchecked Sendable {
        let raw: RawReminders
        let context: ManagedObjectContext
        let alertTimes: AlertTimes
        let loop: AlertLoop
        let queue: DispatchQueue
    }

    func run(_ filter: String, _ report: (Measurement) -> Void) throws {
        let dueCounts = [0, 10, 1_000].filter { filter.isEmpty || name($0).contains(filter) }
        guard !dueCounts.isEmpty else { return }
        let path = directory + "/todo.sqlite"
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path))
        let raw = RawReminders(path, now: Self.now.secondsSince1970)
        raw.fill(count)
        let context = ManagedObjectContext(coordinator: coordinator)
        let queue = DispatchQueue(label: "benchmark")
        let alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
            Self.now
        }
        let loop = try AlertLoop(
            context: context, alertTimes: alertTimes, sink: InstantSink(), schedule: .minutes, queue: queue,
            zone: LocalZone(.utc), now: { Self.now }, log: Log())
        let sides = Sides(raw: raw, context: context, alertTimes: alertTimes, loop: loop, queue: queue)
        for due in dueCounts { report(try measure(due, sides)) }
        coordinator.close()
    }

    private func name(_ due: Int) -> String {
        "find \(due) due alerts among \(count) items" + (due == 0 ? ", 1000 times" : "")
    }

    private func measure(_ due: Int, _ sides: Sides) throws -> Measurement {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        // A single minute check that finds nothing is too short for the clock.
        let repetitions = due == 0 ? 1_000 : 1
        let becomesDue = try FetchPredicate("id <= %ld", due)
        for _ in 0..<(due == 10 ? Self.roundsOfFew : Self.rounds) {
            times.raw.append(
                Self.look(sides, repetitions) {
                    $0.raw.makeDue(due)
                } look: {
                    precondition($0.raw.look() == due)
                })
            times.ours.append(
                Self.look(sides, repetitions) {
                    Self.makeDue(becomesDue, $0)
                } look: {
                    precondition($0.loop.evaluate().count == due)
                })
        }
        return Measurement(name: name(due), raw: times.raw, ours: times.ours, limit: 1.5)
    }

    /// Makes some items due that have had no alert. The update bypasses `AlertTimes`, so its earliest alert
    /// time is cleared.
    private static func makeDue(_ items: FetchPredicate, _ sides: Sides) {
        let never: Timestamp? = nil
        sides.alertTimes.earliest = nil
        do {
            try sides.context.updateAll(
                FetchRequest<ToDo>(matching: items),
                setting: [
                    "dueDate": now + 60, "lastAlertDate": never, "toldForDue": never,
                    "nextAlertDate": now - 240,
                ])
        } catch {
            fatalError("\(error)")
        }
    }

    /// The seconds from the beginning of the first minute check to the record of the last one.
    ///
    /// Each side makes the items due itself, just before and on the same thread. So its own changes are in
    /// its caches, as in the daemon, and not in those of the other side.
    private static func look(
        _ sides: Sides, _ repetitions: Int, makeDue: @escaping @Sendable (Sides) -> Void,
        look: @escaping @Sendable (Sides) -> Void
    ) -> Double {
        let times = Times()
        let done = DispatchSemaphore(value: 0)
        sides.queue.async {
            makeDue(sides)
            times.span.withLock { $0.begin = .now }
            for _ in 0..<repetitions { look(sides) }
            // The alerts are recorded before this block runs.
            sides.queue.async {
                times.span.withLock { $0.end = .now }
                done.signal()
            }
        }
        done.wait()
        return times.span.withLock { $0.begin.duration(to: $0.end) / .seconds(1) }
    }
}
