internal import CSystemd
internal import Glibc

/// What passes between a service and the manager that started it. Without a manager every message goes nowhere.
package enum ServiceManager {
    package enum Notification {
        case ready
        case reloading
        case stopping
        case watchdog
        /// The start or the end takes longer: systemd waits so long from now on.
        case extendTimeout(microseconds: UInt64)
        /// A line for `systemctl status`.
        case status(String)

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .extendTimeout(let microseconds): "EXTEND_TIMEOUT_USEC=\(microseconds)"
            case .status(let line): "STATUS=\(line)"
            }
        }

        private static var monotonicMicroseconds: Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }

    package static func notify(_ notification: Notification) {
        sd_notify(0, notification.text)
    }

    /// How often at least the manager wants to hear from us, in microseconds; nil when it does not watch.
    package static var watchdogMicroseconds: UInt64? {
        var interval: UInt64 = 0
        return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
    }

    /// The listening Unix stream sockets that the manager passed; their descriptors are ours to close.
    package static func passedSockets() -> [Int32] {
        let count = sd_listen_fds(1)
        guard count > 0 else { return [] }
        let first = Int32(3)
        return (first..<first + count).filter {
            sd_is_socket_unix($0, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
        }
    }
}
