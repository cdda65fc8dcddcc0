internal import ConfigurationFiles
internal import ObjectStore
internal import TodoService
internal import Varlink
internal import VarlinkServer

/// The error of a socket path that does not fit into an address.
struct SocketPathTooLong: Error {
    let path: String
}

/// The message for the user if the daemon cannot start, with advice.
enum StartError {
    static func text(for error: any Error) -> String {
        switch error {
        case let error as StoreError where error.code == .inUse:
            "another todod is running: \(error); see 'systemctl --user status todod'"
        case let error as AddressInUse:
            """
            \(error). If that is systemd, stop it with 'systemctl --user stop todod.socket todod.service', \
            or choose another path with --socket
            """
        case let error as SocketPathTooLong:
            """
            the socket path is longer than the \(UnixAddress.pathBytesLimit) bytes that the system allows: \(error.path); \
            choose a shorter one with --socket or TODOD_SOCKET
            """
        case let error as StoreInDoubt:
            (error.problems.map(\.description) + [error.advice]).joined(separator: "\n")
        case let error as StoreError: error.description(restoringWith: "todod --restore COPY")
        default: "\(error)"
        }
    }

    /// Whether the start failed because another daemon is running, which sends the reminders.
    static func isOfRunningDaemon(_ error: any Error) -> Bool {
        error is AddressInUse || (error as? StoreError)?.code == .inUse
    }
}
