internal import Platform
package import TodoAPI
internal import Varlink

/// A connection to todod, which is opened at the first call. It belongs to one queue.
///
/// todod closes a connection that is idle for minutes, so a connection is used for one pass.
package final class TodoConnection: TodoCalls {
    /// The longest time that todod may take for one call.
    private static let secondsLimit: Int64 = 120

    private let socketPath: String
    private var connection: ClientConnection?

    package init(socketPath: String) {
        self.socketPath = socketPath
    }

    package func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
        let call = MethodCall.bytes(M.qualifiedName) { FieldWriter.write(parameters, to: &$0) }
        let reply: MethodReply
        do {
            let connection = try connection ?? Self.open(socketPath)
            self.connection = connection
            let end = ContinuousClock.now + .seconds(Self.secondsLimit)
            let wait = {
                if ContinuousClock.now > end {
                    throw TodoUnreachable(reason: "no answer for \(Self.secondsLimit) s")
                }
            }
            try connection.send(call, onIdle: wait)
            reply = try connection.nextReply(onIdle: wait)
        } catch {
            connection = nil
            throw (error as? TodoUnreachable) ?? TodoUnreachable(reason: "\(error)")
        }
        if let name = reply.error { throw APIError(name: name, parameters: reply.parameters) }
        do throws(FieldError) {
            return try FieldReader.read(M.Reply.self, from: reply.parameters, unknownFields: .ignored)
        } catch {
            throw TodoUnreachable(reason: "its reply to \(M.name) cannot be read: \(error)")
        }
    }

    /// Connects to todod. If systemd owns the socket, that starts todod.
    static func open(_ socketPath: String) throws(TodoUnreachable) -> ClientConnection {
        guard let address = UnixAddress(path: socketPath) else {
            throw TodoUnreachable(reason: "the path of its socket is too long: \(socketPath)")
        }
        do throws(SystemError) {
            return try ClientConnection(to: address)
        } catch {
            throw TodoUnreachable(reason: "\(error)")
        }
    }
}
