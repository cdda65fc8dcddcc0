/// The source of several replies to one call, which are sent as fast as the client reads them.
///
/// The connection asks for the next reply when it has room for it. It does so on the server's queue and never
/// during a turn, so everything a source reads is on disk. It releases the source after the last reply or
/// when the client has disconnected.
package protocol ReplySource: AnyObject {
    /// Returns the next reply to send.
    func next() -> ReplyStep

    /// Returns the last reply to a client that did not read the others in time.
    func timeout() -> [UInt8]
}

package enum ReplyStep {
    /// A reply that is followed by others.
    case reply([UInt8])
    case last([UInt8])
    /// There is no reply yet. `Responder.resume` is called when there is one.
    case later
}
