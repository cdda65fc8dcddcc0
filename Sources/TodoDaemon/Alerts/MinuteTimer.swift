internal import CLinux
internal import CivilTime
internal import Dispatch
internal import Glibc

/// Ticks when the next look is due, and when the clock on the wall was set.
final class MinuteTimer {
    private let source: any DispatchSourceTimer
    private let schedule: AlertSchedule
    private let tick: () -> Void
    private var clockWatch: ClockWatch?

    /// `tick` is called on `queue`, on which the timer is made and stopped too.
    init(_ schedule: AlertSchedule, queue: DispatchQueue, tick: @escaping () -> Void) throws {
        self.schedule = schedule
        self.tick = tick
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [weak self] in self?.fire() }
        arm()
        source.resume()
        let timer = QueueConfined(self, to: queue)
        clockWatch = try ClockWatch(queue: queue) { timer.async { $0.fire() } }
    }

    deinit { source.cancel() }

    /// A tick may be in the queue already: none comes any more.
    func stop() {
        source.cancel()
        clockWatch = nil
    }

    private func fire() {
        guard !source.isCancelled else { return }
        arm()
        tick()
    }

    /// For one tick; an absolute time of the wall clock, so that it holds through a suspend.
    private func arm() {
        // The schedule follows the program's clock; Dispatch follows the system's.
        let next = Double(schedule.next(after: Timestamp.now.wholeSeconds)) - ClockOffset.seconds
        let seconds = next.rounded(.down)
        let deadline = timespec(tv_sec: Int(seconds), tv_nsec: Int((next - seconds) * 1e9))
        source.schedule(wallDeadline: DispatchWallTime(timespec: deadline))
    }
}
