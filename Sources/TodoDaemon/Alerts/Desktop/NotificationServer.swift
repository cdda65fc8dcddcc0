internal import Dispatch
internal import Systemd

/// The program that shows notifications on this desktop, spoken to over the session bus.
///
/// Belongs to the queue of its bus.
final class NotificationServer {
    /// A server that takes longer does not answer.
    static let callSeconds = 5.0

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let bus: Bus
    /// What the server that is there now says that it can do; nil until it was asked.
    private var capabilities: Set<String>?

    /// A person chose one of the actions of a bubble.
    var actionWasInvoked: (_ bubble: UInt32, _ key: String) -> Void = { _, _ in }
    /// A bubble is gone, for whatever reason.
    var bubbleWasClosed: (UInt32) -> Void = { _ in }
    /// The server has ended or another one took its place: the numbers of bubbles mean nothing any more.
    var serverDidChange: () -> Void = {}

    /// - Parameter busAddress: where the bus is; nil for what the environment says.
    init(queue: DispatchQueue, busAddress: String?) {
        bus = Bus(queue: queue, address: busAddress)
        bus.subscribe(sender: Self.name, interface: Self.name, member: "ActionInvoked") {
            [weak self] values in
            guard values.count == 2, let bubble = values[0].asUInt32, let key = values[1].asString else {
                return
            }
            self?.actionWasInvoked(bubble, key)
        }
        bus.subscribe(sender: Self.name, interface: Self.name, member: "NotificationClosed") {
            [weak self] values in
            if let bubble = values.first?.asUInt32 { self?.bubbleWasClosed(bubble) }
        }
        bus.subscribe(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            firstArgument: Self.name
        ) { [weak self] _ in self?.forgetServer() }
        bus.didDisconnect = { [weak self] in self?.forgetServer() }
    }

    private func forgetServer() {
        capabilities = nil
        serverDidChange()
    }

    /// Lets the bus go.
    func close() { bus.close() }

    // MARK: - Calls

    /// Shows a bubble, in the place of another one unless `replacing` is 0. `reply` is called once, with its number.
    func show(
        _ bubble: Bubble, replacing: UInt32, reply: @escaping (Result<UInt32, BusFailure>) -> Void
    ) {
        withCapabilities { [self] result in
            switch result {
            case .failure(let failure): reply(.failure(failure))
            case .success(let capabilities):
                call("Notify", bubble.arguments(replacing: replacing, capabilities: capabilities)) { result in
                    reply(
                        result.flatMap { values in
                            values.first?.asUInt32.map { .success($0) } ?? .failure(.malformed)
                        })
                }
            }
        }
    }

    /// Takes a bubble away. A server that does not know it any more may say so; that is no failure.
    func close(bubble: UInt32, done: @escaping () -> Void) {
        call("CloseNotification", [.uint32(bubble)]) { _ in done() }
    }

    /// A server that cannot say what it can do is taken to be able to do nothing special.
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
            BusCall(Self.name, Self.path, Self.name, member, arguments), timeoutSeconds: Self.callSeconds,
            reply: reply)
    }
}
