/// The server's end of one connection as a state machine: bytes in, calls out; replies in, bytes out. No sockets.
///
/// Calls are answered one after the other in the order in which they came; the next is given out only when the one
/// before has had its last reply. A client that has shut down its sending half still gets every answer.
///
/// There is one for a connection and never a copy: whoever only looks at it would have to hold all that is in it.
package struct ServerConnection: ~Copyable {
    /// With this many bytes of replies that the client has not taken, it is read no further, and no call of it is
    /// handled.
    package static let unsentBytesLimit = 4 << 20
    /// A buffer that was larger is given back when it is empty.
    private static let keptBytes = 128 << 10

    /// The qualified name of the error that answers what is no message, before the connection is closed.
    private let brokenMessageError: String

    private enum State {
        case waitingForCall
        case handling(MethodCall)
        /// Nothing is read any more; what is still to be sent goes out first.
        case closing
    }

    /// The limit for this connection; its server lowers it while all connections together hold too much.
    package var unsentBytesLimit = ServerConnection.unsentBytesLimit
    private var state = State.waitingForCall
    private var decoder: FrameDecoder
    private var inputHasEnded = false

    private var buffer: [UInt8] = []
    /// How much of the buffer the client has.
    private var sentCount = 0
    /// Where in the buffer the answers of the turn that goes on begin.
    private var turnStart: Int?
    /// How many calls these answers belong to.
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

    /// Whether there is something of a message that was not handed out.
    package var holdsInput: Bool { decoder.heldCount > 0 }

    /// The client will send nothing more.
    package mutating func receiveEnd() {
        inputHasEnded = true
    }

    /// The next call to handle; nil while one is being handled, when the client does not read its replies, or when
    /// no whole call has come.
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

    /// What is to be sent, in order.
    package var output: ArraySlice<UInt8> { buffer[sentCount...] }

    package var unsentCount: Int { buffer.count - sentCount }

    /// Answers the call that is being handled; `continues` says that more replies to it follow.
    package mutating func reply(_ message: [UInt8], continues: Bool) {
        guard case .handling(let call) = state else {
            preconditionFailure("a reply without a call")
        }
        if !call.isOneway { send(message) }
        if continues { return }
        if !call.isOneway { answersInTurn += 1 }
        state = .waitingForCall
    }

    /// Answers the call that is being handled with an error, after which the connection is closed.
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

    /// From now on what is answered may be taken back, until the turn ends; send nothing of it before.
    package mutating func beginTurn() {
        turnStart = buffer.count
        answersInTurn = 0
    }

    /// The answers stand.
    package mutating func endTurn() {
        turnStart = nil
    }

    /// Nothing of what the turn did is kept: `message` takes the place of each of its answers.
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

    /// Whether more input is welcome now.
    package var wantsInput: Bool {
        guard case .waitingForCall = state else { return false }
        return !inputHasEnded && unsentCount < unsentBytesLimit
    }

    /// Whether a message more could be held while a call is being handled.
    package var hasRoomForInput: Bool {
        !inputHasEnded && decoder.heldCount < decoder.limit
    }

    /// Whether nothing is left to do but to close.
    package var isFinished: Bool {
        guard case .closing = state else { return false }
        return unsentCount == 0
    }
}
