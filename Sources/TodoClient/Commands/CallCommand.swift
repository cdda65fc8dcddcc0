internal import Phrases
internal import TodoAPI
internal import Varlink

/// The `call` command, for example `todoctl call ListItems '{"text":"rent"}'`.
struct CallCommand: Command {
    static let verb = "call"
    static let summary = "Call a method of the daemon, and print its replies"
    static let details = """
        JSON is an object with the parameters, or - to read it from standard input. The default is no parameters. Each reply \
        is one line. A METHOD with dots in its name belongs to another interface: dev.todod.Sync is that of todod-sync, \
        and the others are those of todod. todod-protocol(7) lists the methods.
        """
    static let examples = [
        "todoctl call Status", #"todoctl call --more ListItems '{"text":"rent"}'"#,
        "todoctl call org.varlink.service.GetInfo",
    ]

    static let warnings = WarningUse.left

    private var method = ""
    private var parameters: [String] = []
    private var wantsMore = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("METHOD", &method, kind: .choice(Self.methods))
        try arguments.words("[JSON]", &parameters)
        arguments.flag("-m, --more", &wantsMore, help: "accept several replies, which some methods require")
    }

    func run(_ session: Session) throws(ClientError) {
        let name = method.contains(".") ? method : "\(TodoInterface.name).\(method)"
        let parameters = try object()
        do throws(ClientError) {
            let isSync = name.hasPrefix("\(SyncInterface.name).")
            let daemon = try isSync ? session.syncProgram() : session.daemon()
            try daemon.stream(name, parameters, wantsMore: wantsMore) { reply throws(ClientError) in
                var writer = JSONWriter()
                writer.value(.object(reply))
                try Output.printJSON(writer)
            }
        } catch .refused(_, .expectedMore?) {
            throw .usage(
                "todoctl: '\(method)' answers with several replies",
                hint: "Type:  todoctl call --more \(method)")
        } catch .refused(_, .methodNotFound?), .refused(_, .interfaceNotFound?) {
            let near = EditDistance.nearest(to: method, among: Self.methods)
            throw .usage(
                "the daemon has no method '\(name.oneLine(bytesLimit: 80))'", verb: Self.verb,
                suggestion: near.map { "Did you mean '\($0)'? " } ?? "")
        }
    }

    private func object() throws(ClientError) -> JSONObject {
        let text = try text()
        if text.isEmpty { return JSONObject() }
        let json: JSON
        do throws(JSONError) {
            json = try JSONParser.parse(text.utf8)
        } catch {
            throw Self.usage("the parameters are not JSON: \(error)")
        }
        guard case .object(let object) = json else {
            throw Self.usage("the parameters must be an object, such as '{\"text\":\"rent\"}'")
        }
        return object
    }

    private func text() throws(ClientError) -> String {
        guard parameters == ["-"] else { return parameters.joined(separator: " ") }
        do throws(TextFile.Failure) {
            return try TextFile.contents(of: "-")
        } catch {
            throw .refused("todoctl: cannot read standard input: \(error.reason)")
        }
    }

    /// The names of the daemon's methods, and the qualified names of those of `todod-sync`.
    static var methods: [String] {
        names(in: TodoInterface.description)
            + names(in: SyncInterface.description).map { "\(SyncInterface.name).\($0)" }
    }

    private static func names(in interface: String) -> [String] {
        interface.split(separator: "\n").filter { $0.hasPrefix("method ") }.map { line in
            String(line.dropFirst("method ".count).prefix { $0 != "(" })
        }
    }
}
