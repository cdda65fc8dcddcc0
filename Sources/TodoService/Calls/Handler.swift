internal import CivilTime
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Handles the calls of one method of the interface.
protocol Handler {
    associatedtype M: Method

    /// Handles a call and replies to it. A thrown error is sent as an error reply.
    ///
    /// Calls that arrive together share one COMMIT. Their replies wait for it, so a handler replies as soon as it has
    /// saved.
    func handle(_ parameters: M.Parameters, _ answer: Answer<M>) throws
}

/// The destination for the replies to one call.
struct Answer<M: Method> {
    private let responder: Responder
    private let zone: TimeZoneRules
    /// Encodes an error as a reply.
    private let errorMessage: (any Error) -> [UInt8]

    init(to responder: Responder, zone: TimeZoneRules, errorMessage: @escaping (any Error) -> [UInt8]) {
        self.responder = responder
        self.zone = zone
        self.errorMessage = errorMessage
    }

    /// Whether the caller accepts several replies.
    var wantsMore: Bool { responder.call.wantsMore }

    /// An object that is kept between the calls of a connection. It is released with the connection.
    var attachment: AnyObject? {
        get { responder.attachment }
        nonmutating set { responder.attachment = newValue }
    }

    func reply(_ reply: M.Reply) {
        responder.reply(message(reply))
    }

    /// Replies to a change that was made, even if there is no room for the reply. A long reply must fit into `room`.
    func reply(ofChange reply: M.Reply) {
        responder.reply(ofChange: message(reply))
    }

    /// The number of bytes that a reply may have now.
    var room: Int { responder.room }

    /// Replies with a message that is already encoded.
    func reply(message: [UInt8]) { responder.reply(message) }

    /// Replies with an error that occurs after `handle` has returned.
    func fail(_ error: any Error) {
        responder.reply(errorMessage(error))
    }

    // MARK: - Many replies

    /// Sends the replies of `source` as fast as the client reads them.
    ///
    /// - Parameter seconds: the time limit, or `nil` for a stream without one.
    func stream(_ source: any ReplySource, within seconds: Int? = nil) {
        responder.stream(source, within: seconds)
    }

    /// Continues the stream, because its source has something to send again.
    func resume() { responder.resume() }

    /// Encodes a reply, for a source.
    func message(_ reply: M.Reply, continues: Bool = false) -> [UInt8] {
        Self.message(reply, continues: continues, zone: zone)
    }

    /// Encodes a reply on any queue.
    static func message(_ reply: M.Reply, continues: Bool = false, zone: TimeZoneRules) -> [UInt8] {
        MethodReply.bytes(continues: continues) { FieldWriter.write(reply, to: &$0, zone: zone) }
    }

    func message(for error: any Error) -> [UInt8] { errorMessage(error) }
}
