package import Dispatch

/// The session bus: method calls and signals, without ever waiting.
///
/// It connects when there is something to send, so that a bus that appears later is used and none is no error. When the
/// bus goes away, every call that is open fails and the next one connects anew. Everything here belongs on the queue
/// it was made for, which should have nothing else to do; `close` ends it.
package final class Bus {
    package typealias Reply = (Result<[BusValue], BusFailure>) -> Void

    private let queue: DispatchQueue
    /// Nil for what the environment says.
    private let address: String?
    private var connection: BusConnection?
    private var subscriptions: [BusSubscription] = []
    /// Called when the bus has gone away.
    package var didDisconnect: () -> Void = {}

    /// - Parameter address: where the bus is; nil for `$DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`.
    package init(queue: DispatchQueue, address: String? = nil) {
        self.queue = queue
        self.address = address
    }

    package var isConnected: Bool { connection != nil }

    /// Calls a method. `reply` is called once, on the queue; before this returns when nothing could be sent.
    package func call(_ call: BusCall, timeoutSeconds: Double, reply: @escaping Reply) {
        guard let connection = connection ?? connect() else { return reply(.failure(.noBus)) }
        connection.send(call, timeoutSeconds: timeoutSeconds, reply: reply)
    }

    /// Has `handler` called, on the queue, for each signal of that name from whoever owns `sender`; for all
    /// connections to come. Call it before the first call.
    ///
    /// - Parameter firstArgument: what the signal must say first; nil for anything.
    package func subscribe(
        sender: String, interface: String, member: String, firstArgument: String? = nil,
        handler: @escaping ([BusValue]) -> Void
    ) {
        var rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
        if let firstArgument { rule += ",arg0='\(firstArgument)'" }
        subscriptions.append(BusSubscription(rule: rule, handler: handler))
    }

    /// Lets the bus go. Calls that are open fail.
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

/// Signals that somebody waits for.
final class BusSubscription {
    /// What the bus compares signals with.
    let rule: String
    let handler: ([BusValue]) -> Void

    init(rule: String, handler: @escaping ([BusValue]) -> Void) {
        self.rule = rule
        self.handler = handler
    }
}
