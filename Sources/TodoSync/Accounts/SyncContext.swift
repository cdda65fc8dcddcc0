package import CivilTime
package import Dispatch

/// The parts of the program that accounts and calls share.
package struct SyncContext: Sendable {
    /// The queue of the timers, the sockets and the state of all accounts.
    package let queue: DispatchQueue
    package let log: SyncLog
    package let passwords: Passwords
    package let connector: any ServerConnector
    /// Opens a connection to todod.
    package let todod: @Sendable () -> any TodoCalls
    /// Whether the machine has a network.
    package let hasNetwork: @Sendable () -> Bool
    package let now: @Sendable () -> Timestamp

    package init(
        queue: DispatchQueue, log: SyncLog, passwords: Passwords, connector: any ServerConnector,
        todod: @escaping @Sendable () -> any TodoCalls, hasNetwork: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.queue = queue
        self.log = log
        self.passwords = passwords
        self.connector = connector
        self.todod = todod
        self.hasNetwork = hasNetwork
        self.now = now
    }
}
