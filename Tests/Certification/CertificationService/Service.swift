import Dispatch
import Varlink
import VarlinkServer

/// The certification's server, implemented with our server. It accepts each call in its order, with exactly
/// the right parameters.
final class Service {
    private let directory: ServiceDirectory
    private let queue: DispatchQueue
    private var server: Server?
    /// The call that each client must make next, as a position in the table. 0 is the first one after Start.
    private var positions: [String: Int] = [:]

    init(interfaceText: String, queue: DispatchQueue) {
        self.queue = queue
        directory = ServiceDirectory(
            vendor: "todod", product: "certification", version: "1", url: "",
            interfaces: [(Certification.interface, interfaceText)])
    }

    func start(at address: UnixAddress) throws {
        let server = Server(
            listener: try UnixListener(at: address), queue: queue,
            brokenMessageError: "\(Certification.interface).CertificationError",
            handle: { [unowned self] in answer($0.call, $0) })
        self.server = server
        try server.start()
    }

    // MARK: - Calls

    private func answer(_ call: MethodCall, _ responder: Responder) {
        if call.interface == ServiceInterface.name { return directory.answer(responder) }
        guard call.interface == Certification.interface else {
            return responder.fail("\(ServiceInterface.name).InterfaceNotFound") {
                $0.member("interface", call.method)
            }
        }
        let method = call.method.dropFirst(Certification.interface.utf8.count + 1)
        if method == "Start" { return start(responder) }
        guard case .string(let client)? = call.parameters["client_id"], let position = positions[client]
        else {
            return responder.fail("\(Certification.interface).ClientIdError") { _ in }
        }
        let step = Certification.steps[position]
        let sent = JSONObject(call.parameters.members.filter { $0.name != "client_id" })
        let isRight =
            step.method == method && call.wantsMore == (method == "Test10")
            && call.isOneway == (method == "Test11")
            && Certification.normalized(.object(sent)) == Certification.normalized(.object(step.parameters))
        guard isRight else {
            positions[client] = nil
            return responder.fail("\(Certification.interface).CertificationError") { fields in
                fields.name("wants")
                fields.value(.object(step.parameters))
                fields.name("got")
                fields.value(.object(sent))
            }
        }
        positions[client] = position + 1
        reply(to: client, after: position, responder)
    }

    private func start(_ responder: Responder) {
        let client = "client-\(positions.count)"
        positions[client] = 0
        responder.reply { $0.member("client_id", client) }
    }

    private func reply(to client: String, after position: Int, _ responder: Responder) {
        switch Certification.steps[position].method {
        case "Test10":
            for (index, text) in Certification.replies.enumerated() {
                responder.reply(continues: index < Certification.replies.count - 1) {
                    $0.member("string", text)
                }
            }
        case "Test11":
            responder.reply { _ in }
        case "End":
            positions[client] = nil
            responder.reply { fields in
                fields.name("all_ok")
                fields.value(true)
            }
        default:
            responder.reply { $0.members(of: Certification.steps[position + 1].parameters) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String) {
        self.name(name)
        value(text)
    }
}
