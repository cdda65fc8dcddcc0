internal import CLinux
internal import CivilTime
internal import Dispatch
internal import Glibc

/// Fires once at a moment of the wall clock, to the microsecond and through a suspend.
final class MomentTimer {
    private let source: any DispatchSourceTimer

    /// `fire` is called on `queue`, on which the timer is created and stopped too.
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

    /// Sets the moment at which the timer fires; `nil` means never.
    func arm(at moment: Timestamp?) {
        guard let moment else { return source.schedule(wallDeadline: .distantFuture) }
        // The moment is one of the program's clock; Dispatch follows the system's.
        let seconds = moment.secondsSince1970 - ClockOffset.seconds
        let whole = seconds.rounded(.down)
        let deadline = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        source.schedule(wallDeadline: DispatchWallTime(timespec: deadline))
    }
}
