/// A state machine for the server's end of one connection. It takes received bytes and replies, and produces
/// calls and bytes to send. It uses no sockets.
///
/// Calls are answered one by one, in order. The next call is returned only after the last reply to the
/// previous one. A client that has shut down its sending side still gets all replies.
///
/// The type is noncopyable because a copy would share its buffers, and the next change would duplicate them.
package struct ServerConnection: ~Copyable {
    /// The maximum number of unsent reply bytes. Beyond it, no more input is read from the client and none of
    /// its calls are handled.
    package static let unsentBytesLimit = 4 << 20
    /// The maximum capacity that an empty buffer keeps.
    private static let keptBytes = 128 << 10

    /// The qualified name of the error sent for an invalid message, before the connection is closed.
    private let brokenMessageError: String

    private enum State {
        case waitingForCall
        case handling(MethodCall)
        /// No more input is read. The connection closes once all output is sent.
        case closing
    }

    /// The limit for this connection. The server lowers it while all connections together hold too many
    /// bytes.
    package var unsentBytesLimit = ServerConnection.unsentBytesLimit
    private var state = State.waitingForCall
    private var decoder: FrameDecoder
    private var inputHasEnded = false

    private var buffer: [UInt8] = []
    /// The number of bytes at the start of the buffer that have been sent.
    private var sentCount = 0
    /// The offset in the buffer at which the replies of the current turn begin.
    private var turnStart: Int?
    /// The number of calls answered by these replies.
    private var answersInTurn = 0

    package init(brokenMessageError: String, messageBytesLimit: Int = FrameDecoder.messageBytesLimit) {
        self.brokenMessageError = brokenMessageError
        decoder = FrameDecoder(messageBytesLimit: messageBytesLimit)
    }

    // MARK: - Input

    package mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
        if case .closing = state { return }
        decoder.append(bytes)
    }

    /// Whether the connection holds part of a message, or a message that has not been returned.
    package var holdsInput: Bool { decoder.heldCount > 0 }

    /// Records that the client will send no more bytes.
    package mutating func receiveEnd() {
        inputHasEnded = true
    }

    /// Returns the next call to handle. Returns `nil` while another call is being handled, while the client
    /// does not read its replies, or if no complete call has arrived.
    package mutating func nextCall() -> MethodCall? {
        guard case .waitingForCall = state, unsentCount < unsentBytesLimit else { return nil }
        do {
            guard let message = try decoder.next() else {
                if inputHasEnded { state = .closing }
                return nil
            }
            let call = try MethodCall(message: message)
            state = .handling(call)
            return call
        } catch {
            send(
                MethodReply.bytes(error: brokenMessageError) { object in
                    object.name("reason")
                    object.value("\(error)")
                })
            answersInTurn += 1
            state = .closing
            return nil
        }
    }

    // MARK: - Output

    /// The bytes to send, in order.
    package var output: ArraySlice<UInt8> { buffer[sentCount...] }

    package var unsentCount: Int { buffer.count - sentCount }

    /// Adds a reply to the call that is being handled. If `continues` is true, more replies to the call
    /// follow.
    package mutating func reply(_ message: [UInt8], continues: Bool) {
        guard case .handling(let call) = state else {
            preconditionFailure("a reply without a call")
        }
        if !call.isOneway { send(message) }
        if continues { return }
        if !call.isOneway { answersInTurn += 1 }
        state = .waitingForCall
    }

    /// Answers the call that is being handled with an error and then closes the connection.
    package mutating func refuse(_ error: [UInt8]) {
        guard case .handling(let call) = state else { preconditionFailure("a refusal without a call") }
        if !call.isOneway {
            send(error)
            answersInTurn += 1
        }
        state = .closing
    }

    package mutating func discardOutput(_ count: Int) {
        sentCount += count
        guard sentCount == buffer.count else { return }
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptBytes)
        sentCount = 0
        if turnStart != nil { turnStart = 0 }
    }

    private mutating func send(_ message: [UInt8]) {
        buffer += message
        buffer.append((decoder.terminator ?? .nul).rawValue)
    }

    // MARK: - Turns

    /// Begins a turn. Until it ends, its replies can be replaced, so they must not be sent.
    package mutating func beginTurn() {
        turnStart = buffer.count
        answersInTurn = 0
    }

    /// Ends the turn and keeps its replies.
    package mutating func endTurn() {
        turnStart = nil
    }

    /// Ends the turn and replaces each of its replies with `message`, because its changes were discarded.
    package mutating func failTurn(_ message: [UInt8]) {
        guard let turnStart else { return }
        buffer.removeSubrange(turnStart...)
        for _ in 0..<answersInTurn { send(message) }
        self.turnStart = nil
    }

    // MARK: - Flow

    /// Whether a call is being handled.
    package var isHandling: Bool {
        if case .handling = state { true } else { false }
    }

    /// Whether the connection should read more input now.
    package var wantsInput: Bool {
        guard case .waitingForCall = state else { return false }
        return !inputHasEnded && unsentCount < unsentBytesLimit
    }

    /// Whether there is room for another message while a call is being handled.
    package var hasRoomForInput: Bool {
        !inputHasEnded && decoder.heldCount < decoder.limit
    }

    /// Whether all output is sent and the connection can be closed.
    package var isFinished: Bool {
        guard case .closing = state else { return false }
        return unsentCount == 0
    }
}
