package import Dispatch
package import Varlink

/// One call and the means to reply to it.
///
/// A responder may be used after the handler has returned, but only on the server's queue. If the client has
/// disconnected, replies are discarded.
package struct Responder {
    private let destination: any ReplyDestination
    package let call: MethodCall
    /// The time at which the call arrived.
    package let receivedAt = DispatchTime.now()

    package init(to destination: any ReplyDestination, call: MethodCall) {
        self.destination = destination
        self.call = call
    }

    /// Sends one reply. `body` writes its parameters. If `continues` is true, another reply follows.
    package func reply(continues: Bool = false, _ body: (inout JSONWriter) -> Void) {
        reply(MethodReply.bytes(continues: continues, body), continues: continues)
    }

    /// Sends one reply that is already encoded.
    package func reply(_ message: [UInt8], continues: Bool = false) {
        destination.reply(message, continues: continues, isRefusable: true)
    }

    /// Sends the reply to a completed change. It is never refused, even if clients hold too many unread
    /// replies.
    package func reply(ofChange message: [UInt8]) {
        destination.reply(message, continues: false, isRefusable: false)
    }

    /// The maximum size of a reply, in bytes, that is not refused now.
    package var room: Int { destination.room }

    package func fail(_ error: String, _ body: (inout JSONWriter) -> Void) {
        reply(MethodReply.bytes(error: error, body))
    }

    // MARK: - Many replies

    /// Sends the replies of `source`. The stream times out after `seconds`, or has no time limit if it is
    /// `nil`.
    package func stream(_ source: any ReplySource, within seconds: Int? = nil) {
        destination.stream(source, until: seconds.map { .now() + .seconds($0) })
    }

    /// Resumes the stream because its source has another reply.
    package func resume() {
        destination.resume()
    }

    /// State that a handler keeps between calls of a connection. It is released with the connection.
    package var attachment: AnyObject? {
        get { destination.attachment }
        nonmutating set { destination.attachment = newValue }
    }

    // MARK: - Turns

    func carryOut(_ handle: (Responder) -> Void) {
        destination.beginTurn()
        handle(self)
    }

    /// Ends the turn of the whole connection. Further calls in the same turn have no effect.
    func endTurn(failure: [UInt8]?) {
        destination.endTurn(failure: failure)
    }
}
