/// Where many replies to one call come from, as fast as the client takes them and no faster.
///
/// The connection asks for the next reply when it has room for it, on the server's queue, and never while a turn goes
/// on: so what a source reads is on disk. It lets go of the source after the last reply, or when the client has left.
package protocol ReplySource: AnyObject {
    /// The next reply to send.
    func next() -> ReplyStep

    /// The last reply to a client that has not taken the others in time.
    func timeout() -> [UInt8]
}

package enum ReplyStep {
    /// A reply after which others come.
    case reply([UInt8])
    case last([UInt8])
    /// Nothing for now: `Responder.resume` says when there is.
    case later
}
