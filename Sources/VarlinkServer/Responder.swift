package import Dispatch
package import Varlink

/// Where the answer to one call goes.
///
/// It may be used later, but only on the server's queue. When the client has left, answers go nowhere.
package struct Responder {
    private let connection: Connection
    package let call: MethodCall
    /// When the call came.
    package let receivedAt = DispatchTime.now()

    init(connection: Connection, call: MethodCall) {
        self.connection = connection
        self.call = call
    }

    /// Sends one reply, whose parameters `body` writes; with `continues` another one follows.
    package func reply(continues: Bool = false, _ body: (inout JSONWriter) -> Void) {
        reply(MethodReply.bytes(continues: continues, body), continues: continues)
    }

    /// Sends one reply that is written already.
    package func reply(_ message: [UInt8], continues: Bool = false) {
        connection.reply(message, continues: continues)
    }

    /// Sends the reply to a change that was made. It is not refused, whatever the clients have not read.
    package func reply(ofChange message: [UInt8]) {
        connection.reply(message, continues: false, isRefusable: false)
    }

    /// How many bytes a reply may have now without being refused.
    package var room: Int { connection.room }

    package func fail(_ error: String, _ body: (inout JSONWriter) -> Void) {
        connection.reply(MethodReply.bytes(error: error, body), continues: false)
    }

    // MARK: - Many replies

    /// Sends the replies of `source`, which must have ended after `seconds`; nil for one that may go on for ever.
    package func stream(_ source: any ReplySource, within seconds: Int? = nil) {
        connection.stream(source, until: seconds.map { .now() + .seconds($0) })
    }

    /// The source of this call has something to send again.
    package func resume() {
        connection.resume()
    }

    /// What a handler keeps from one call of a connection to the next; it goes away with the connection.
    package var attachment: AnyObject? {
        get { connection.attachment }
        nonmutating set { connection.attachment = newValue }
    }

    // MARK: - Turns

    func carryOut(_ handle: (Responder) -> Void) {
        connection.beginTurn()
        handle(self)
    }

    /// Ends the turn for the whole connection; once for several calls of it.
    func endTurn(failure: [UInt8]?) {
        connection.endTurn(failure: failure)
    }
}
