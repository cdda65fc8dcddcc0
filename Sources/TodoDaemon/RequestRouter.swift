internal import Systemd
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Leads each call to the handler of its method.
final class RequestRouter {
    private let directory: ServiceDirectory
    private let workspace: Workspace
    private let log: Log
    private var routes: [String: (Responder) throws -> Void] = [:]

    init(workspace: Workspace, log: Log) {
        self.workspace = workspace
        self.log = log
        directory = ServiceDirectory(
            vendor: "todod", product: "todod", version: tododVersion, url: "",
            interfaces: [(TodoInterface.name, TodoInterface.description)])
    }

    /// The methods of our interface that have a handler.
    var methods: [String] { routes.keys.sorted() }

    func register<H: Handler>(_ handler: H) {
        routes[H.M.qualifiedName] = { [workspace] responder in
            let parameters = try FieldReader.read(H.M.Parameters.self, from: responder.call.parameters)
            try handler.handle(parameters, Answer(to: responder, zone: workspace.zone))
        }
    }

    func route(_ responder: Responder) {
        let call = responder.call
        if call.interface == ServiceInterface.name { return directory.answer(responder) }
        do {
            if let route = routes[call.method] { return try route(responder) }
            let interface = call.interface ?? call.method
            throw directory.has(interface: interface)
                ? APIError.methodNotFound(call.method) : APIError.interfaceNotFound(interface)
        } catch {
            let reply = ErrorReply(error)
            if reply.isFault { log.write(.error, "\(call.method) failed: \(error)") }
            responder.fail(reply.error.name) {
                FieldWriter.write(reply.error.body, to: &$0, zone: workspace.zone)
            }
        }
    }
}
