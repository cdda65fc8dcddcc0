internal import CivilTime
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Carries out one method of the interface.
protocol Handler {
    associatedtype M: Method

    /// Answers a call; what it throws is answered as an error.
    ///
    /// Calls that come together share one COMMIT. Answers wait for it, so a handler answers as soon as it has saved.
    func handle(_ parameters: M.Parameters, _ answer: Answer<M>) throws
}

/// Where the replies to one call go.
struct Answer<M: Method> {
    private let responder: Responder
    private let zone: TimeZoneRules
    /// What the client is told of an error.
    private let errorMessage: (any Error) -> [UInt8]

    init(to responder: Responder, zone: TimeZoneRules, errorMessage: @escaping (any Error) -> [UInt8]) {
        self.responder = responder
        self.zone = zone
        self.errorMessage = errorMessage
    }

    /// Whether the caller takes several replies.
    var wantsMore: Bool { responder.call.wantsMore }

    /// What is kept from one call of a connection to the next; it goes away with the connection.
    var attachment: AnyObject? {
        get { responder.attachment }
        nonmutating set { responder.attachment = newValue }
    }

    func reply(_ reply: M.Reply) {
        responder.reply(message(reply))
    }

    /// Answers a change that was made, also if there is no room for the reply. A long one needs the room that `room` names.
    func reply(ofChange reply: M.Reply) {
        responder.reply(ofChange: message(reply))
    }

    /// How many bytes a reply may have now.
    var room: Int { responder.room }

    /// Answers with a reply that is written already.
    func reply(message: [UInt8]) { responder.reply(message) }

    /// Answers with an error that comes up after `handle` has returned.
    func fail(_ error: any Error) {
        responder.reply(errorMessage(error))
    }

    // MARK: - Many replies

    /// Sends the replies of `source` as fast as the client takes them, in `seconds` at most; nil for one that may go on
    /// for ever.
    func stream(_ source: any ReplySource, within seconds: Int? = nil) {
        responder.stream(source, within: seconds)
    }

    /// The source has something to send again.
    func resume() { responder.resume() }

    /// The bytes of a reply, for a source.
    func message(_ reply: M.Reply, continues: Bool = false) -> [UInt8] {
        Self.message(reply, continues: continues, zone: zone)
    }

    /// The same on any queue.
    static func message(_ reply: M.Reply, continues: Bool = false, zone: TimeZoneRules) -> [UInt8] {
        MethodReply.bytes(continues: continues) { FieldWriter.write(reply, to: &$0, zone: zone) }
    }

    func message(for error: any Error) -> [UInt8] { errorMessage(error) }
}
