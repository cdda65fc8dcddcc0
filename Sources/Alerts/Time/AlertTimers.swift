internal import CivilTime
internal import Dispatch

/// The timers of the checks: one for the schedule, and one for the alert times between two scheduled checks.
///
/// Confined to its queue.
final class AlertTimers {
    private let schedule: AlertSchedule
    private let queue: DispatchQueue
    private var minuteTimer: MinuteTimer?
    private var exactTimer: MomentTimer?

    init(_ schedule: AlertSchedule, queue: DispatchQueue) {
        self.schedule = schedule
        self.queue = queue
    }

    var isRunning: Bool { exactTimer != nil }

    /// Starts the timers.
    ///
    /// - Parameters:
    ///   - minute: called at each scheduled check, and when the clock was set.
    ///   - exact: called at the time for which `arm` was called last.
    func start(minute: @escaping () -> Void, exact: @escaping () -> Void) throws {
        dispatchPrecondition(condition: .onQueue(queue))
        minuteTimer = try MinuteTimer(schedule, queue: queue, tick: minute)
        exactTimer = MomentTimer(queue: queue, fire: exact)
    }

    func stop() {
        minuteTimer?.stop()
        minuteTimer = nil
        exactTimer = nil
    }

    /// Arms the timer between two scheduled checks, or disarms it if `moment` is `nil`.
    func arm(at moment: Timestamp?) { exactTimer?.arm(at: moment) }

    /// Whether a time is before the next scheduled check.
    func isBeforeNextCheck(_ moment: Timestamp, now: Timestamp) -> Bool { moment < schedule.next(after: now) }
}
