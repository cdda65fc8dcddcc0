internal import CivilTime
internal import Glibc
internal import Platform
internal import TodoAPI
internal import Varlink

/// A client's connection to the daemon or to `todod-sync`, with a function for each kind of call.
final class Daemon {
    private let connection: ClientConnection
    private let address: UnixAddress
    private let socketPath: String
    private let program: ServiceProgram
    private let limits: ReplyTimeout.Limits
    private let words: TimeInWords
    /// The treatment of the warnings that the daemon returns with the first call.
    ///
    /// It is `.left` once they have been read.
    private var warnings: WarningUse
    private let madeChanges: MadeChanges

    /// Connects to the daemon.
    ///
    /// - Throws: `.usage` if the path is empty, `.refused` if the socket belongs to another user, and `.noDaemon` if
    ///   the path is too long or no daemon answers there.
    init(
        socketPath: String, of program: ServiceProgram = .todod, words: TimeInWords,
        limits: ReplyTimeout.Limits = ReplyTimeout.Limits(), warnings: WarningUse = .left,
        madeChanges: MadeChanges = MadeChanges()
    ) throws(ClientError) {
        self.words = words
        self.socketPath = socketPath
        self.program = program
        self.warnings = warnings
        self.madeChanges = madeChanges
        self.limits = limits
        if socketPath.isEmpty { throw .usage("the path of the socket is empty", verb: "") }
        guard let address = UnixAddress(path: socketPath) else {
            throw .noDaemon(
                """
                todoctl: the socket path is longer than the \(UnixAddress.pathBytesLimit) bytes that the system allows:
                  \(socketPath)
                Set \(program.socketVariable) to a shorter path, also for \(program.subject).
                """)
        }
        self.address = address
        do {
            connection = try ClientConnection(to: address)
        } catch {
            if error.code == EACCES || error.code == EPERM, let owner = SocketOwner(of: socketPath) {
                throw owner.error
            }
            throw .noDaemon(program.absence(at: socketPath, reason: error.reason))
        }
    }

    /// Calls a method that has one reply, and returns it.
    ///
    /// - Parameter object: what the program waits for, such as a server. It is named if the reply takes long.
    func call<M: Method>(
        _ method: M.Type, _ parameters: M.Parameters, waitingFor object: String? = nil
    ) throws(ClientError) -> M.Reply {
        var last: M.Reply?
        try stream(method, parameters, wantsMore: false, waitingFor: object) { last = $0 }
        guard let last else { throw .refused("todoctl: \(program.subject) sent no reply") }
        return last
    }

    /// Calls a method that may have several replies, and passes each to `receive` as it arrives.
    ///
    /// - Parameters:
    ///   - object: what the program waits for, such as a server. It is named if the reply takes long.
    ///   - onIdle: a closure that is called repeatedly until a reply arrives. It can redraw a progress bar.
    func stream<M: Method>(
        _ method: M.Type, _ parameters: M.Parameters, wantsMore: Bool = true,
        waitingFor object: String? = nil, onIdle: (() -> Void)? = nil,
        _ receive: (M.Reply) throws(ClientError) -> Void
    ) throws(ClientError) {
        let call = MethodCall.bytes(M.qualifiedName, wantsMore: wantsMore) {
            FieldWriter.write(parameters, to: &$0)
        }
        let isReading = madeChanges.isReading(parameters, of: M.qualifiedName)
        try exchange(
            call, of: M.qualifiedName, isReading: isReading, waitingFor: object, onIdle: onIdle
        ) { reply in
            try receive(try FieldReader.read(M.Reply.self, from: reply, unknownFields: .ignored))
        }
    }

    /// Calls a method by its qualified name.
    ///
    /// The daemon may not know the method or its parameters.
    func stream(
        _ method: String, _ parameters: JSONObject, wantsMore: Bool,
        _ receive: (JSONObject) throws(ClientError) -> Void
    ) throws(ClientError) {
        let call = MethodCall.bytes(method, wantsMore: wantsMore) { $0.members(of: parameters) }
        let isReading = madeChanges.isReading(parameters, of: method)
        try exchange(call, of: method, isReading: isReading, receive)
    }

    private func exchange(
        _ call: [UInt8], of method: String, isReading: Bool, waitingFor object: String? = nil,
        onIdle: (() -> Void)? = nil,
        _ receive: (JSONObject) throws -> Void
    ) throws(ClientError) {
        do {
            // A command with a progress bar needs no notice that the reply takes long.
            let notice = program.notice(
                afterSeconds: limits.notice.components.seconds, waitingFor: object)
            let timeout = ReplyTimeout(limits, at: address, notice: onIdle == nil ? notice : nil)
            let wait = {
                onIdle?()
                try timeout.checkForSign()
            }
            let asksForWarnings = warnings != .left
            try connection.send((asksForWarnings ? Self.takeWarnings : []) + call, onIdle: wait)
            if asksForWarnings { try receiveWarnings(onIdle: wait) }
            var isWatching = false
            while true {
                // `Watch` waits for events, so a long silence after its first reply is not an error.
                let reply = try connection.nextReply(onIdle: isWatching ? nil : wait)
                timeout.didReceive()
                isWatching = method == Watch.qualifiedName
                if let name = reply.error { throw APIError(name: name, parameters: reply.parameters) }
                if !isReading, !reply.continues { madeChanges.add(method, reply.parameters) }
                try receive(reply.parameters)
                if !reply.continues { return }
            }
        } catch let error as ClientError {
            throw error
        } catch let error as APIError {
            if error == .other("\(ServiceInterface.name).PermissionDenied"),
                let owner = SocketOwner(of: socketPath)
            {
                throw owner.error
            }
            let text = ErrorText.text(for: error, of: method, words: words)
            throw .refused("todoctl: \(text)\(otherVersion(after: error))", reason: error)
        } catch let exhausted as ReplyTimeout.Exhausted {
            throw .noDaemon(program.silence(ofSeconds: exhausted.seconds, during: method))
        } catch is ClientConnection.HungUp {
            throw .refused(program.hangUp(during: method))
        } catch let error as SystemError {
            throw .refused("todoctl: \(error)")
        } catch {
            throw .refused(
                "todoctl: the reply of \(program.subject) cannot be read: \(error)\(otherVersion())")
        }
    }

    /// The call that asks for the warnings. It is sent with the first call, so it does not delay the reply.
    private static let takeWarnings =
        MethodCall.bytes(TakeWarnings.qualifiedName) { _ in } + [FrameDecoder.Terminator.nul.rawValue]

    private func receiveWarnings(onIdle wait: @escaping () throws -> Void) throws {
        let isPrinted = warnings == .printed
        warnings = .left
        let reply = try connection.nextReply(onIdle: wait)
        if let name = reply.error {
            let error = APIError(name: name, parameters: reply.parameters)
            switch error {
            // A daemon of an earlier version has no warnings.
            case .methodNotFound, .interfaceNotFound: return
            default: throw error
            }
        }
        // The command succeeds even if the warnings cannot be decoded.
        guard isPrinted,
            let found = try? FieldReader.read(
                TakeWarnings.Reply.self, from: reply.parameters, unknownFields: .ignored
            ).warnings, !found.isEmpty
        else { return }
        let lines = found.map { "\n  \($0.oneLine())" }.joined()
        Output.printError(
            "todoctl: the configuration of todod needs attention:\(lines)\nSee all settings:  todoctl config")
    }

    /// Returns a hint to restart the daemon if `error` may come from its version and that differs from the client's.
    ///
    /// Returns an empty string otherwise.
    private func otherVersion(after error: APIError) -> String {
        switch error {
        case .interfaceNotFound, .methodNotFound, .invalidParameter, .other: otherVersion()
        default: ""
        }
    }

    private func otherVersion() -> String {
        let call = MethodCall.bytes("\(ServiceInterface.name).GetInfo") { _ in }
        guard (try? connection.send(call)) != nil, let reply = try? connection.nextReply(),
            case .string(let version)? = reply.parameters["version"], version != tododVersion
        else { return "" }
        return program.otherVersion(version)
    }
}
