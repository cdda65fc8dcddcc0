package import Dispatch

/// The session bus: method calls and signals, without blocking.
///
/// It connects when there is something to send, so a missing bus is no error and a bus that starts later is
/// used. When the bus disconnects, every open call fails and the next call connects again. All members must
/// be used on `queue`, which should do no other work. `close` ends the connection.
package final class Bus {
    package typealias Reply = (Result<[BusValue], BusFailure>) -> Void

    private let queue: DispatchQueue
    /// The address of the bus, or `nil` for the address in the environment.
    private let address: String?
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []
    /// Called when the bus has disconnected.
    package var didDisconnect: () -> Void = {}

    /// Creates a bus without connecting to it.
    ///
    /// - Parameter address: the address of the bus, or `nil` for `$DBUS_SESSION_BUS_ADDRESS`, else
    ///   `$XDG_RUNTIME_DIR/bus`.
    package init(queue: DispatchQueue, address: String? = nil) {
        self.queue = queue
        self.address = address
    }

    package var isConnected: Bool { connection != nil }

    /// Calls a method. `reply` is called once, on the queue. If the call cannot be sent, `reply` is called
    /// before this method returns.
    package func call(_ call: BusCall, timeoutSeconds: Double, reply: @escaping Reply) {
        guard let connection = connection ?? connect() else { return reply(.failure(.noBus)) }
        connection.send(call, timeoutSeconds: timeoutSeconds, reply: reply)
    }

    /// Calls `handler` on the queue for each signal of that name from the owner of `sender`. Call this method
    /// before the first call. It applies to all later connections.
    ///
    /// - Parameter firstArgument: the required first argument of the signal, or `nil` for any.
    package func subscribe(
        sender: String, interface: String, member: String, firstArgument: String? = nil,
        handler: @escaping ([BusValue]) -> Void
    ) {
        var rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
        if let firstArgument { rule += ",arg0='\(firstArgument)'" }
        subscriptions.append(BusSubscription(rule: rule, handler: handler))
    }

    /// Closes the connection. Open calls fail.
    package func close() {
        connection?.close()
        connection = nil
    }

    private func connect() -> BusConnection? {
        connection = BusConnection(queue: queue, address: address, subscriptions: subscriptions) {
            [weak self] in
            self?.connection = nil
            self?.didDisconnect()
        }
        return connection
    }
}

/// A subscription to signals.
final class BusSubscription {
    /// The match rule for the bus.
    let rule: String
    let handler: ([BusValue]) -> Void

    init(rule: String, handler: @escaping ([BusValue]) -> Void) {
        self.rule = rule
        self.handler = handler
    }
}
