internal import Alerts
internal import Systemd
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Passes each call to the handler of its method.
final class RequestRouter {
    private let directory: ServiceDirectory
    private let service: ServiceContext
    private let blockedCalls: BlockedCalls
    private let log: Log
    private let faultDidOccur: () -> Void
    private var routes: [String: (Responder) throws -> Void] = [:]

    /// Creates a router without methods.
    ///
    /// - Parameter faultDidOccur: called when a call failed without a mistake of the client.
    init(
        service: ServiceContext, blockedCalls: BlockedCalls, log: Log, faultDidOccur: @escaping () -> Void
    ) {
        self.service = service
        self.blockedCalls = blockedCalls
        self.log = log
        self.faultDidOccur = faultDidOccur
        directory = ServiceDirectory(
            vendor: "todod", product: "todod", version: tododVersion, url: "",
            interfaces: [(TodoInterface.name, TodoInterface.description)])
    }

    /// The names of the methods of the todod interface that have a handler.
    var methods: [String] { routes.keys.sorted() }

    func register<H: Handler>(_ handler: H) {
        routes[H.M.qualifiedName] = { [unowned self] responder in
            let parameters = try FieldReader.read(H.M.Parameters.self, from: responder.call.parameters)
            let answer = Answer<H.M>(to: responder, zone: service.times.zone) { [unowned self] error in
                message(for: error, in: responder.call)
            }
            try handler.handle(parameters, answer)
        }
    }

    /// Handles one call within a turn.
    ///
    /// - Parameter retry: submits the call again. It is called later if the call has to wait for the store.
    func route(_ responder: Responder, retry: @escaping () -> Void) {
        let call = responder.call
        do {
            if let route = routes[call.method] { return try route(responder) }
            if call.interface == ServiceInterface.name { return directory.answer(responder) }
            let interface = call.interface ?? call.method
            throw directory.has(interface: interface)
                ? APIError.methodNotFound(call.method) : APIError.interfaceNotFound(interface)
        } catch {
            if blockedCalls.wait(after: error, since: responder.receivedAt, retry) { return }
            responder.reply(message(for: error, in: call))
        }
    }

    /// Handles the calls that arrived together, with one COMMIT for all their changes.
    ///
    /// If that fails, nothing is kept. The returned error then replies to all of the calls.
    func carryOut(_ calls: () -> Void) -> [UInt8]? {
        do {
            try service.changes.sharingCommit(calls)
            return nil
        } catch {
            return message(for: error, in: nil)
        }
    }

    private func message(for error: any Error, in call: MethodCall?) -> [UInt8] {
        let reply = ErrorReply(error)
        if reply.isFault {
            log.write(.error, "\(call?.method ?? "Saving") failed: \(error)")
            faultDidOccur()
        }
        return MethodReply.bytes(error: reply.error.name) {
            FieldWriter.write(reply.error.body, to: &$0, zone: service.times.zone)
        }
    }
}
