import CivilTime
import Testing
import Varlink

extension Sandbox {
    func connect() throws -> ClientConnection {
        try ClientConnection(to: try #require(UnixAddress(path: socket)))
    }

    /// Runs todoctl with the arguments of a line of the shell, which has to succeed, and returns its output.
    func run(todoctl line: String) throws -> String {
        let result = try shell("todoctl \(line)")
        #expect(result.status == 0, "\(line): \(result)")
        return result.output
    }

    /// Returns the error of todoctl with the arguments of a line of the shell.
    func refusal(ofTodoctl line: String) throws -> String {
        let result = try shell("todoctl \(line)")
        #expect(result.status == 1 || result.status == 2, "\(line): \(result)")
        return result.errors
    }

    /// Calls a method of todod's interface with parameters in JSON, and returns its reply.
    func call(_ method: String, _ parameters: String = "{}") throws -> MethodReply {
        let connection = try connect()
        try connection.call(method, parameters)
        return try connection.nextReply()
    }

    /// Returns all replies to one call.
    func replies(_ method: String, _ parameters: String = "{}") throws -> [MethodReply] {
        let connection = try connect()
        try connection.call(method, parameters, more: true)
        var replies = [try connection.nextReply()]
        while replies[replies.count - 1].continues { replies.append(try connection.nextReply()) }
        return replies
    }

    /// Adds items with these names, without waiting for each reply.
    func addItems(_ names: [String]) throws {
        let connection = try connect()
        for name in names { try connection.call("AddItem", #"{"name":"\#(name)"}"#) }
        for _ in names { #expect(try connection.nextReply().error == nil) }
    }
}

extension ClientConnection {
    func call(_ method: String, _ parameters: String = "{}", more: Bool = false) throws {
        let more = more ? #","more":true"# : ""
        try send(Array(#"{"method":"dev.todod.Todo.\#(method)","parameters":\#(parameters)\#(more)}"#.utf8))
    }
}

extension JSONObject {
    /// The text of the time depends on the time zone of the program.
    func moment(_ field: String) -> Timestamp? {
        if case .string(let text)? = self[field] { RFC3339.moment(text) } else { nil }
    }
}

extension MethodReply {
    /// The names of the items in the reply.
    var names: [String] {
        items.compactMap { if case .string(let name)? = $0["name"] { name } else { nil } }
    }

    var items: [JSONObject] {
        guard case .array(let items)? = parameters["items"] else { return [] }
        return items.compactMap { if case .object(let item) = $0 { item } else { nil } }
    }

    func text(_ field: String) -> String? {
        if case .string(let text)? = parameters[field] { text } else { nil }
    }

    func moment(_ field: String) -> Timestamp? { parameters.moment(field) }

    func integer(_ field: String) -> Int64? {
        if case .integer(let number)? = parameters[field] { number } else { nil }
    }
}
