internal import CivilTime
internal import Glibc
internal import Platform
internal import TodoAPI
internal import Varlink

/// A client's connection to the daemon, with a function for each kind of call.
final class Daemon {
    private let connection: ClientConnection
    private let address: UnixAddress
    private let socketPath: String
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
        socketPath: String, words: TimeInWords, limits: ReplyTimeout.Limits = ReplyTimeout.Limits(),
        warnings: WarningUse = .left, madeChanges: MadeChanges = MadeChanges()
    ) throws(ClientError) {
        self.words = words
        self.socketPath = socketPath
        self.warnings = warnings
        self.madeChanges = madeChanges
        self.limits = limits
        if socketPath.isEmpty { throw .usage("the path of the socket is empty", verb: "") }
        guard let address = UnixAddress(path: socketPath) else {
            throw .noDaemon(
                """
                todoctl: the socket path is longer than the \(UnixAddress.pathBytesLimit) bytes that the system allows:
                  \(socketPath)
                Set TODOD_SOCKET to a shorter path, also for the daemon.
                """)
        }
        self.address = address
        do {
            connection = try ClientConnection(to: address)
        } catch {
            if error.code == EACCES || error.code == EPERM, let owner = SocketOwner(of: socketPath) {
                throw owner.error
            }
            throw .noDaemon(
                """
                todoctl: no daemon answers at \(socketPath) (\(error.reason))
                \(NoDaemonHint(at: socketPath).text)
                """)
        }
    }

    /// Calls a method that has one reply, and returns it.
    func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws(ClientError) -> M.Reply {
        var last: M.Reply?
        try stream(method, parameters, wantsMore: false) { last = $0 }
        guard let last else { throw .refused("todoctl: the daemon sent no reply") }
        return last
    }

    /// Calls a method that may have several replies, and passes each to `receive` as it arrives.
    ///
    /// - Parameter onIdle: a closure that is called repeatedly until a reply arrives. It can redraw a progress
    ///   bar.
    func stream<M: Method>(
        _ method: M.Type, _ parameters: M.Parameters, wantsMore: Bool = true,
        onIdle: (() -> Void)? = nil, _ receive: (M.Reply) throws(ClientError) -> Void
    ) throws(ClientError) {
        let call = MethodCall.bytes(M.qualifiedName, wantsMore: wantsMore) {
            FieldWriter.write(parameters, to: &$0)
        }
        let isReading = madeChanges.isReading(parameters, of: M.qualifiedName)
        try exchange(call, of: M.qualifiedName, isReading: isReading, onIdle: onIdle) { reply in
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
        _ call: [UInt8], of method: String, isReading: Bool, onIdle: (() -> Void)? = nil,
        _ receive: (JSONObject) throws -> Void
    ) throws(ClientError) {
        do {
            // A command with a progress bar needs no notice that the reply takes long.
            let timeout = ReplyTimeout(limits, at: address, hasNotice: onIdle == nil)
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
            throw .noDaemon(Self.silence(of: exhausted.seconds, during: method))
        } catch is ClientConnection.HungUp {
            throw .refused(whyItHungUp(during: method))
        } catch let error as SystemError {
            throw .refused("todoctl: \(error)")
        } catch {
            throw .refused("todoctl: the daemon's reply cannot be read: \(error)\(otherVersion())")
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

    private static func silence(of seconds: Int64, during method: String) -> String {
        let isReading = TodoInterface.readingMethods.contains(method)
        let doubt =
            isReading ? "" : "It may still make the change later. Check first with:  todoctl list\n"
        return """
            todoctl: todod has not answered for \(seconds) s; it is stopped, hangs or is still starting
            \(doubt)See its state:  systemctl --user status todod.service
            Restart it:     systemctl --user restart todod.service
            """
    }

    private func whyItHungUp(during method: String) -> String {
        let isReading = TodoInterface.readingMethods.contains(method)
        let doubt = isReading ? "" : "; the change may or may not have been made\nTo check:  todoctl list"
        return """
            todoctl: the connection ended before the daemon had answered\(doubt)
            See why it ended:   journalctl --user --unit=todod --lines=20
            """
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
        return """

            The running daemon is todod \(version.oneLine(bytesLimit: 40)), but this is todoctl \(tododVersion). \
            Restart the daemon:
              systemctl --user restart todod.service
            """
    }
}
