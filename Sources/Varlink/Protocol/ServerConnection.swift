/// The server's end of one connection as a state machine: bytes in, calls out; replies in, bytes out. No sockets.
///
/// Calls are answered one after the other in the order in which they came; the next is given out only when the one
/// before has had its last reply. A client that has shut down its sending half still gets every answer.
package struct ServerConnection {
    /// A client that does not read its replies is read no further beyond this many bytes of them.
    package static let unsentBytesLimit = 4 << 20

    /// The qualified name of the error that answers what is no message, before the connection is closed.
    private let brokenMessageError: String

    private enum State {
        case waitingForCall
        case handling(MethodCall)
        /// Nothing is read any more; what is still to be sent goes out first.
        case closing
    }

    private var state = State.waitingForCall
    private var decoder: FrameDecoder
    private var inputHasEnded = false

    /// What is to be sent, in order.
    package private(set) var output: [UInt8] = []

    package init(brokenMessageError: String, messageBytesLimit: Int = FrameDecoder.messageBytesLimit) {
        self.brokenMessageError = brokenMessageError
        decoder = FrameDecoder(messageBytesLimit: messageBytesLimit)
    }

    // MARK: - Input

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        if case .closing = state { return }
        decoder.append(bytes)
    }

    /// The client will send nothing more.
    package mutating func receiveEnd() {
        inputHasEnded = true
    }

    /// The next call to handle; nil while one is being handled, or when no whole call has come.
    package mutating func nextCall() -> MethodCall? {
        guard case .waitingForCall = state else { return nil }
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
            state = .closing
            return nil
        }
    }

    // MARK: - Output

    /// Answers the call that is being handled; `continues` says that more replies to it follow.
    package mutating func reply(_ message: [UInt8], continues: Bool) {
        guard case .handling(let call) = state else {
            preconditionFailure("a reply without a call")
        }
        if !call.isOneway { send(message) }
        if !continues { state = .waitingForCall }
    }

    package mutating func discardOutput(_ count: Int) {
        output.removeFirst(count)
    }

    private mutating func send(_ message: [UInt8]) {
        output += message
        output.append((decoder.terminator ?? .nul).rawValue)
    }

    // MARK: - Flow

    /// Whether more input is welcome now.
    package var wantsInput: Bool {
        guard case .waitingForCall = state else { return false }
        return !inputHasEnded && output.count < Self.unsentBytesLimit
    }

    /// Whether nothing is left to do but to close.
    package var isFinished: Bool {
        guard case .closing = state else { return false }
        return output.isEmpty
    }
}
