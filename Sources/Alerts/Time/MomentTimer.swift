internal import CLinux
internal import CivilTime
internal import Dispatch
internal import Glibc
internal import Platform

/// Fires once at a time of the wall clock, with microsecond precision, even after a suspend.
final class MomentTimer {
    private let source: any DispatchSourceTimer

    /// Creates a timer that is not armed.
    ///
    /// - Parameter fire: called on `queue`. The timer must be created and discarded on this queue, too.
    init(queue: DispatchQueue, fire: @escaping () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [weak self] in
            // It may have fired just before it was discarded.
            if self != nil { fire() }
        }
        source.schedule(wallDeadline: .distantFuture)
        source.resume()
    }

    deinit { source.cancel() }

    /// Sets the time at which the timer fires, or `nil` for never.
    func arm(at moment: Timestamp?) {
        guard let moment else { return source.schedule(wallDeadline: .distantFuture) }
        // The time is one of the program's clock, and Dispatch uses the system's clock.
        let seconds = moment.secondsSince1970 - ClockOffset.seconds
        let whole = seconds.rounded(.down)
        let deadline = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        source.schedule(wallDeadline: DispatchWallTime(timespec: deadline))
    }
}
