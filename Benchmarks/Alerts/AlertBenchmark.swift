import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Synchronization
import TodoDaemon

/// One look of the daemon at many items, against the raw C API running the same query and writing the same rows.
struct AlertBenchmark {
    /// Friday 2026-11-20 17:00 UTC.
    private static let now = Timestamp(secondsSince1970: 1_795_194_000)
    private static let rounds = 15
    /// To look for few takes less than what else the machine does now and then.
    private static let roundsOfFew = 200

    let directory: String
    let count: Int

    /// Has told everything as soon as it is given it.
    private struct InstantSink: AlertSink {
        func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
            told(announcement.alerts)
        }
    }

    private final class Times: Sendable {
        let span = Mutex((begin: ContinuousClock.now, end: ContinuousClock.now))
    }

    /// The loop for a block on its queue, where it belongs.
    private struct Confined: @unchecked Sendable {
        let loop: AlertLoop
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
        let loop = try AlertLoop(
            context: context,
            points: AlertPoints(context: context, planner: AlertPlanner()) { Self.now },
            sink: InstantSink(), schedule: .minutes, queue: queue, zone: LocalZone(), now: { Self.now },
            log: Log())
        for due in dueCounts { report(try measure(due, raw, loop, queue, context)) }
        coordinator.close()
    }

    private func name(_ due: Int) -> String {
        "look for \(due) to tell among \(count) items" + (due == 0 ? ", 1000 times" : "")
    }

    private func measure(
        _ due: Int, _ raw: RawReminders, _ loop: AlertLoop, _ queue: DispatchQueue,
        _ context: ManagedObjectContext
    ) throws -> Measurement {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        // One look that finds nothing is too short for the clock.
        let repetitions = due == 0 ? 1_000 : 1
        for _ in 0..<(due == 10 ? Self.roundsOfFew : Self.rounds) {
            // Each side makes the items due itself: what it has just written is in its cache, as in the daemon, and
            // not in that of the other side.
            raw.makeDue(due)
            times.raw.append(seconds { for _ in 0..<repetitions { precondition(raw.look() == due) } })
            try makeDue(due, context)
            times.ours.append(Self.look(repetitions, due, loop, queue))
        }
        return Measurement(name: name(due), raw: times.raw, ours: times.ours, limit: 1.5)
    }

    /// Makes some items due that were told, or never, and tells the loop that what it knows of the next point holds no
    /// more.
    private func makeDue(_ due: Int, _ context: ManagedObjectContext) throws {
        let toldAtLast: Timestamp? = nil
        try context.updateAll(
            FetchRequest<ToDo>(matching: FetchPredicate("id <= %ld", due)),
            setting: [
                "dueDate": Self.now + 60, "lastAlertDate": toldAtLast, "toldForDue": toldAtLast,
                "nextAlertDate": Self.now - 240,
            ])
    }

    /// Seconds from the begin of the first look to the record of the last one, on the queue of the loop, as in the
    /// daemon: neither side waits for a thread to wake up.
    private static func look(
        _ repetitions: Int, _ due: Int, _ loop: AlertLoop, _ queue: DispatchQueue
    ) -> Double {
        let times = Times()
        let confined = Confined(loop: loop)
        let done = DispatchSemaphore(value: 0)
        queue.async {
            times.span.withLock { $0.begin = .now }
            for _ in 0..<repetitions { precondition(confined.loop.evaluate().count == due) }
            // What was told is recorded before that.
            queue.async {
                times.span.withLock { $0.end = .now }
                done.signal()
            }
        }
        done.wait()
        return times.span.withLock { $0.begin.duration(to: $0.end) / .seconds(1) }
    }
}
