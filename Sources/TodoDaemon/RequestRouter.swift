internal import Systemd
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Leads each call to the handler of its method.
final class RequestRouter {
    private let directory: ServiceDirectory
    private let workspace: Workspace
    private let waitingRoom: WaitingRoom
    private let log: Log
    /// Hands a call in again that had to wait.
    var handIn: (Responder) -> Void = { _ in }
    /// Called when a call failed and it was not the client's mistake.
    var whenFaultOccurs: () -> Void = {}
    private var routes: [String: (Responder) throws -> Void] = [:]

    init(workspace: Workspace, waitingRoom: WaitingRoom, log: Log) {
        self.workspace = workspace
        self.waitingRoom = waitingRoom
        self.log = log
        directory = ServiceDirectory(
            vendor: "todod", product: "todod", version: tododVersion, url: "",
            interfaces: [(TodoInterface.name, TodoInterface.description)])
    }

    /// The methods of our interface that have a handler.
    var methods: [String] { routes.keys.sorted() }

    func register<H: Handler>(_ handler: H) {
        routes[H.M.qualifiedName] = { [unowned self] responder in
            let parameters = try FieldReader.read(H.M.Parameters.self, from: responder.call.parameters)
            let answer = Answer<H.M>(to: responder, zone: workspace.zone) { [unowned self] error in
                message(for: error, in: responder.call)
            }
            try handler.handle(parameters, answer)
        }
    }

    /// Carries out one call, within a turn.
    func route(_ responder: Responder) {
        let call = responder.call
        do {
            if let route = routes[call.method] { return try route(responder) }
            if call.interface == ServiceInterface.name { return directory.answer(responder) }
            let interface = call.interface ?? call.method
            throw directory.has(interface: interface)
                ? APIError.methodNotFound(call.method) : APIError.interfaceNotFound(interface)
        } catch {
            let again = { [handIn] in handIn(responder) }
            if waitingRoom.wait(after: error, since: responder.receivedAt, again) { return }
            responder.reply(message(for: error, in: call))
        }
    }

    /// Carries out the calls that came together, with one COMMIT for what they change. When that fails nothing of it
    /// is kept, and the error answers all of them.
    func carryOut(_ calls: () -> Void) -> [UInt8]? {
        do {
            try workspace.together(calls)
            return nil
        } catch {
            return message(for: error, in: nil)
        }
    }

    private func message(for error: any Error, in call: MethodCall?) -> [UInt8] {
        let reply = ErrorReply(error)
        if reply.isFault {
            log.write(.error, "\(call?.method ?? "Saving") failed: \(error)")
            whenFaultOccurs()
        }
        return MethodReply.bytes(error: reply.error.name) {
            FieldWriter.write(reply.error.body, to: &$0, zone: workspace.zone)
        }
    }
}
