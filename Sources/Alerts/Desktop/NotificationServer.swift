internal import Dispatch
internal import Systemd

/// The program that shows notifications on the desktop, called over the session bus.
///
/// Confined to the queue of its bus.
final class NotificationServer {
    /// The time limit for a call.
    static let callSeconds = 5.0

    /// The reason for closing a notification that the user has dismissed.
    private static let closedByUser: UInt32 = 2

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let bus: Bus
    /// The capabilities of the current server, or `nil` if it has not been asked yet.
    private var capabilities: Set<String>?

    /// The owner of the notifications.
    weak var delegate: (any Delegate)?

    protocol Delegate: AnyObject {
        /// Called when the user chose the action `key` of a notification.
        func actionWasInvoked(_ key: String, on number: UInt32)
        /// Called when a notification was closed, by the user or for another reason.
        func notificationWasClosed(_ number: UInt32, byUser: Bool)
        /// Called when the server ended or was replaced. The numbers of notifications are no longer valid then.
        func serverDidChange()
        /// Called when the connection to the bus ended or could not be made. The numbers of notifications are no longer
        /// valid then.
        func busDidDisconnect()
    }

    /// Subscribes to the signals of the server.
    ///
    /// - Parameter busAddress: the address of the bus, or `nil` to use the environment.
    init(queue: DispatchQueue, busAddress: String?) {
        bus = Bus(queue: queue, address: busAddress)
        bus.subscribe(sender: Self.name, interface: Self.name, member: "ActionInvoked") {
            [weak self] values in
            guard values.count == 2, let number = values[0].asUInt32, let key = values[1].asString else {
                return
            }
            self?.delegate?.actionWasInvoked(key, on: number)
        }
        bus.subscribe(sender: Self.name, interface: Self.name, member: "NotificationClosed") {
            [weak self] values in
            guard let number = values.first?.asUInt32 else { return }
            let reason = values.count > 1 ? values[1].asUInt32 : nil
            self?.delegate?.notificationWasClosed(number, byUser: reason == Self.closedByUser)
        }
        bus.subscribe(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            firstArgument: Self.name
        ) { [weak self] _ in
            self?.capabilities = nil
            self?.delegate?.serverDidChange()
        }
        bus.didDisconnect = { [weak self] in
            self?.capabilities = nil
            self?.delegate?.busDidDisconnect()
        }
    }

    /// Closes the connection to the bus.
    func close() { bus.close() }

    // MARK: - Calls

    /// Shows a notification, and replaces another one unless `replacing` is 0.
    ///
    /// - Parameter reply: called once, with the number of the notification.
    func show(
        _ notification: DesktopNotification, replacing: UInt32,
        reply: @escaping (Result<UInt32, BusFailure>) -> Void
    ) {
        withCapabilities { [self] result in
            switch result {
            case .failure(let failure): reply(.failure(failure))
            case .success(let capabilities):
                call("Notify", notification.arguments(replacing: replacing, capabilities: capabilities)) {
                    result in
                    reply(
                        result.flatMap { values in
                            values.first?.asUInt32.map { .success($0) } ?? .failure(.malformed)
                        })
                }
            }
        }
    }

    /// Closes a notification. An error reply is ignored, because the server may have closed it already.
    func close(notification: UInt32, done: @escaping () -> Void) {
        call("CloseNotification", [.uint32(notification)]) { _ in done() }
    }

    /// Passes the capabilities of the server to `body`. A server that refuses to report them is treated as having
    /// none.
    private func withCapabilities(_ body: @escaping (Result<Set<String>, BusFailure>) -> Void) {
        if let capabilities { return body(.success(capabilities)) }
        call("GetCapabilities", []) { [weak self] result in
            switch result {
            case .success(let values): self?.capabilities = Set(values.first?.asStrings ?? [])
            case .failure(.refused(let name, let message)):
                let failure = BusFailure.refused(name: name, message: message)
                if failure.isAbsence { return body(.failure(failure)) }
                self?.capabilities = []
            case .failure(let failure): return body(.failure(failure))
            }
            body(.success(self?.capabilities ?? []))
        }
    }

    private func call(_ member: String, _ arguments: [BusValue], reply: @escaping Bus.Reply) {
        bus.call(
            BusCall(
                to: Self.name, path: Self.path, interface: Self.name, member: member, arguments: arguments),
            timeoutSeconds: Self.callSeconds,
            reply: reply)
    }
}
