internal import CivilTime
internal import Dispatch
internal import Platform

/// Ticks when the next check is scheduled, and when the wall clock was set.
final class MinuteTimer {
    private let schedule: AlertSchedule
    private let tick: () -> Void
    private var timer: MomentTimer?
    private var clockWatch: ClockWatch?

    /// Starts the timer.
    ///
    /// - Parameter tick: called on `queue`. The timer must be created and stopped on this queue, too.
    init(_ schedule: AlertSchedule, queue: DispatchQueue, tick: @escaping () -> Void) throws {
        self.schedule = schedule
        self.tick = tick
        timer = MomentTimer(queue: queue) { [weak self] in self?.fire() }
        arm()
        let confined = QueueConfined(self, to: queue)
        clockWatch = try ClockWatch(queue: queue) { confined.async { $0.fire() } }
    }

    /// Stops the timer. A tick that is already in the queue has no effect.
    func stop() {
        timer = nil
        clockWatch = nil
    }

    private func fire() {
        guard timer != nil else { return }
        arm()
        tick()
    }

    /// Arms the timer for one tick.
    private func arm() { timer?.arm(at: schedule.next(after: .now)) }
}
