package import Dispatch

/// The destination of the replies to one call: a connection or, in a test, a list of messages.
///
/// All calls are made on the server's queue.
package protocol ReplyDestination: AnyObject {
    /// The maximum size of a last reply, in bytes, that is not refused now.
    var room: Int { get }

    /// State that a handler keeps between calls of one client. It is released with the connection.
    var attachment: AnyObject? { get set }

    /// Sends one reply. If `continues` is true, another one follows.
    ///
    /// - Parameter isRefusable: whether an error may replace the reply if clients hold too many unread replies.
    func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool)

    /// Sends the replies of `source` until the time `end`, or without a time limit if it is `nil`.
    func stream(_ source: any ReplySource, until end: DispatchTime?)

    /// Resumes the stream because its source has another reply.
    func resume()

    /// Begins a turn. Replies are sent when the turn ends.
    func beginTurn()

    /// Ends the turn and sends its replies. If there is a `failure`, it replaces each of them.
    func endTurn(failure: [UInt8]?)
}
