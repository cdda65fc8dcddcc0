internal import CLinux
internal import Foundation

/// The descriptor by which a process notices that the machine's clock was set.
///
/// It is a timer of the real-time clock that never expires and that the kernel cancels when the clock is set.
/// A test wakes the process by letting the timer expire, because no test may set the clock of the machine.
package struct ClockWatchDescriptor {
    package struct CannotWake: Error {
        let call: String
        let errorNumber: Int32
    }

    private static let canceledOnSet = "clockid: 0\nticks: 0\nsettime flags: 03\n"

    private let number: Int32
    private let process: Int32

    package init(_ number: Int32, of process: Int32) {
        (self.number, self.process) = (number, process)
    }

    /// Every such descriptor of a process.
    package static func all(of process: Int32) throws -> [ClockWatchDescriptor] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fdinfo").compactMap {
            Int32($0)
        }
        .map { ClockWatchDescriptor($0, of: process) }.filter(\.isArmed)
    }

    /// Whether this process may wake its children.
    package static let canWakeChildren: Bool = {
        guard let copy = try? ClockWatchDescriptor(STDIN_FILENO, of: getpid()).duplicate() else {
            return false
        }
        close(copy)
        return true
    }()

    /// Whether the kernel wakes the process when the clock is set.
    package var isArmed: Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/fdinfo/\(number)", encoding: .utf8)
        return text?.contains(Self.canceledOnSet) ?? false
    }

    /// Makes the descriptor readable, as setting the clock does.
    package func wake() throws(CannotWake) {
        let copy = try duplicate()
        defer { close(copy) }
        var past = itimerspec()
        past.it_value.tv_sec = 1
        guard timerfd_settime(copy, Int32(TFD_TIMER_ABSTIME), &past, nil) == 0 else {
            throw CannotWake(call: "timerfd_settime", errorNumber: errno)
        }
    }

    /// A descriptor of this process for the same timer.
    private func duplicate() throws(CannotWake) -> Int32 {
        let descriptor = todod_process_descriptor(process)
        guard descriptor >= 0 else { throw CannotWake(call: "pidfd_open", errorNumber: errno) }
        defer { close(descriptor) }
        let copy = pidfd_getfd(descriptor, number, 0)
        guard copy >= 0 else { throw CannotWake(call: "pidfd_getfd", errorNumber: errno) }
        return copy
    }
}
