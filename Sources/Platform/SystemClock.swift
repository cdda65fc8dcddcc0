internal import CLinux
internal import Glibc

/// The clocks of the system.
package enum SystemClock {
    /// The seconds since 1970-01-01T00:00:00Z of the wall clock, plus the offset that a test may have set.
    package static var secondsSince1970: Double {
        let time = read(CLOCK_REALTIME)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 + ClockOffset.seconds
    }

    /// The microseconds of a clock that cannot be set and does not run while the machine is suspended.
    package static var monotonicMicroseconds: Int64 {
        let time = read(CLOCK_MONOTONIC)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// The nanoseconds since 1970-01-01T00:00:00Z of the clock that file systems read. No test sets it.
    package static var fileNanoseconds: Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// Blocks the thread.
    package static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }
}
