internal import CivilTime
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Carries out one method of the interface.
protocol Handler {
    associatedtype M: Method

    /// Answers a call; what it throws is answered as an error.
    func handle(_ parameters: M.Parameters, _ answer: Answer<M>) throws
}

/// Where the replies to one call go.
struct Answer<M: Method> {
    private let responder: Responder
    private let zone: TimeZoneRules

    init(to responder: Responder, zone: TimeZoneRules) {
        self.responder = responder
        self.zone = zone
    }

    /// Whether the caller takes several replies.
    var wantsMore: Bool { responder.call.wantsMore }

    /// Sends one reply; with `continues` another one follows.
    func reply(_ reply: M.Reply, continues: Bool = false) {
        responder.reply(continues: continues) { FieldWriter.write(reply, to: &$0, zone: zone) }
    }
}
