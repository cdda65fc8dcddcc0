internal import CSystemd
internal import Platform

/// The connection between a service and the service manager that started it. Without a manager, notifications
/// are ignored.
package enum ServiceManager {
    package enum Notification {
        case ready
        case reloading
        case stopping
        case watchdog
        /// Extends the time that systemd waits for the start or stop, counted from now.
        case extendTimeout(microseconds: UInt64)
        /// Sets the status line that `systemctl status` shows.
        case status(String)

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMicroseconds)"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .extendTimeout(let microseconds): "EXTEND_TIMEOUT_USEC=\(microseconds)"
            case .status(let line): "STATUS=\(line)"
            }
        }
    }

    package static func notify(_ notification: Notification) {
        sd_notify(0, notification.text)
    }

    /// The longest allowed time between two watchdog notifications, in microseconds, or `nil` if the watchdog
    /// is off.
    package static var watchdogMicroseconds: UInt64? {
        var interval: UInt64 = 0
        return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
    }

    /// Returns the listening Unix stream sockets that the manager passed. The caller must close their
    /// descriptors.
    package static func passedSockets() -> [Int32] {
        let count = sd_listen_fds(1)
        guard count > 0 else { return [] }
        let first = Int32(3)
        return (first..<first + count).filter {
            sd_is_socket_unix($0, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
        }
    }
}
