import Varlink

/// The certification's client, implemented with our client. It calls all methods in order, each with the
/// values of the previous reply.
struct Client {
    let connection: ClientConnection

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func run() throws {
        var last = try call("Start", JSONObject())
        guard case .string(let client)? = last["client_id"] else {
            throw Failure(description: "no client_id")
        }
        for step in Certification.steps {
            var members = last.members.filter { $0.name != "client_id" }
            if step.method == "Test11" { members = step.parameters.members }
            if step.method == "End" { members = [] }
            let parameters = JSONObject([(name: "client_id", value: .string(client))] + members)
            last = try call(step.method, parameters)
        }
        guard last["all_ok"] == .boolean(true) else { throw Failure(description: "the end is not all_ok") }
    }

    private func call(_ method: String, _ parameters: JSONObject) throws -> JSONObject {
        let isOneway = method == "Test11"
        try connection.send(
            MethodCall.bytes(
                "\(Certification.interface).\(method)", isOneway: isOneway, wantsMore: method == "Test10"
            ) { $0.members(of: parameters) })
        if isOneway { return JSONObject() }
        var texts: [JSON?] = []
        while true {
            let reply = try connection.nextReply()
            if let error = reply.error {
                throw Failure(description: "\(method): \(error) \(reply.parameters)")
            }
            guard method == "Test10" else { return reply.parameters }
            texts.append(reply.parameters["string"])
            guard !reply.continues else { continue }
            guard texts == Certification.replies.map({ .string($0) }) else {
                throw Failure(description: "Test10: \(texts)")
            }
            return JSONObject()
        }
    }
}
