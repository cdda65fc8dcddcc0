internal import Dispatch
internal import Glibc
internal import Varlink

/// One client's socket, driven by the server's queue.
///
/// Bound to that queue: every call into it, and every call it makes, comes from there.
final class Connection: Poller.Client {
    /// How much of a stream waits to be sent; more is asked of its source when the client has taken this.
    private static let streamBytes = 64 << 10

    /// What a connection asks of its server.
    protocol Owner: AnyObject {
        /// Where a connection reads to; what it has read is good until the next one reads.
        var readBuffer: UnsafeMutableBufferPointer<UInt8> { get }
        /// A call has come; the owner hands it out in a turn.
        func didReceive(_ responder: Responder)
        /// Whether all connections together hold as many replies as they may.
        var holdsTooMuch: Bool { get }
        /// How many bytes a last reply may have.
        var room: Int { get }
        /// The error that answers a call instead of a last reply of that length, or `nil` if there is room for it.
        func refusal(ofBytes count: Int) -> [UInt8]?
        /// The error that answers a call whose replies have no end, or `nil` if there is room for one more.
        func refusalOfListener() -> [UInt8]?
        /// The connections must be looked at again at that moment.
        func look(by moment: DispatchTime)
        func didClose(_ connection: Connection)
    }

    let descriptor: Int32
    private(set) var isClosed = false
    private var machine: ServerConnection
    private let idleSeconds: Int
    private unowned let owner: any Owner
    private let poller: Poller
    private var isInTurn = false
    /// When the client last began a message, had sent all of one, or took some of a reply, on the clock that does not jump.
    ///
    /// The bytes within a message do not count: one of them now and then would keep a place for ever.
    private var lastActivity = DispatchTime.now()

    /// What a handler keeps from one call of this connection to the next.
    var attachment: AnyObject?

    /// The replies to the call that is being handled, where they come from a source.
    private var stream: (source: any ReplySource, end: DispatchTime?)?
    private var isStreamWaiting = false

    /// Takes over `descriptor`, which is non-blocking.
    init(
        descriptor: Int32, poller: Poller, machine: consuming ServerConnection, idleSeconds: Int,
        owner: any Owner
    ) {
        self.descriptor = descriptor
        self.poller = poller
        self.machine = machine
        self.idleSeconds = idleSeconds
        self.owner = owner
    }

    func start() {
        poller.watch(self, for: .reading)
        owner.look(by: idleEnd)
    }

    // MARK: - In

    func canRead() {
        let wasInMessage = machine.holdsInput
        let buffer = owner.readBuffer
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            machine.receive(UnsafeBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            // A client that has shut down only its sending half still wants its answers, and of one that has left, what it
            // sent without wanting any is still carried out.
            machine.receiveEnd()
        } else if errno == EAGAIN || errno == EINTR {
            return
        } else {
            return close()
        }
        // The turn of a call that was handed out ends with writing.
        if !handOut(), !isClosed { write() }
        if !wasInMessage, machine.holdsInput { lastActivity = .now() }
    }

    func canWrite() { advance() }

    /// Nobody is there any more to whom the stream could go.
    func peerHasLeft() { close() }

    /// Hands out the next call, and sends what there is to send.
    private func advance() {
        guard !isClosed else { return }
        handOut()
        if !isInTurn, !isClosed { write() }
    }

    /// - Returns: whether there was a call to hand out.
    @discardableResult
    private func handOut() -> Bool {
        updateLimit()
        guard let call = machine.nextCall() else { return false }
        lastActivity = .now()
        owner.didReceive(Responder(connection: self, call: call))
        return true
    }

    /// While all connections together hold too much, a client with unread replies gets no more of them.
    private func updateLimit() {
        let isNarrow = machine.unsentCount > 0 && owner.holdsTooMuch
        machine.unsentBytesLimit = isNarrow ? 1 : ServerConnection.unsentBytesLimit
    }

    // MARK: - Turns

    /// What is answered from now on is sent when the turn has ended.
    func beginTurn() {
        guard !isInTurn, !isClosed else { return }
        isInTurn = true
        machine.beginTurn()
    }

    /// Sends the answers of the turn; with a `failure`, that in place of each of them.
    func endTurn(failure: [UInt8]?) {
        guard isInTurn else { return }
        isInTurn = false
        guard !isClosed else { return }
        if let failure {
            machine.failTurn(failure)
            if stream != nil { endStream(failure) }
        } else {
            machine.endTurn()
        }
        advance()
    }

    // MARK: - Out

    var room: Int { owner.room }

    func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool = true) {
        guard !isClosed else { return }
        if !continues, isRefusable, let refusal = owner.refusal(ofBytes: message.count) {
            machine.refuse(refusal)
        } else {
            machine.reply(message, continues: continues)
        }
        advance()
    }

    /// How many bytes of replies wait for the client.
    var unsentCount: Int { machine.unsentCount }

    private func write() {
        updateLimit()
        pull()
        guard sendOutput() else { return close() }
        // A call may have waited for the room that there is now.
        handOut()
        if isClosed { return }
        if machine.isFinished { return close() }
        var interest: Poller.Interest = []
        if machine.wantsInput || (stream != nil && machine.hasRoomForInput) { interest.insert(.reading) }
        if machine.unsentCount > 0 || (stream != nil && !isStreamWaiting) { interest.insert(.writing) }
        // Of a client that is not read, it shows in no other way.
        if stream != nil, !interest.contains(.reading) { interest.insert(.leaving) }
        poller.watch(self, for: interest)
    }

    /// Sends as much as the client takes; false when it has left.
    private func sendOutput() -> Bool {
        guard let count = Self.send(from: &machine, to: descriptor) else { return false }
        if count > 0 { lastActivity = .now() }
        return true
    }

    /// - Returns: how many bytes the client has taken; nil when it has left.
    private static func send(from machine: inout ServerConnection, to descriptor: Int32) -> Int? {
        var sentCount = 0
        while machine.unsentCount > 0 {
            let count = machine.output.withUnsafeBytes { buffer in
                // A client that has left is an ordinary event, not a SIGPIPE.
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sentCount += count
                machine.discardOutput(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return nil
            }
        }
        return sentCount
    }

    // MARK: - Streams

    func stream(_ source: any ReplySource, until end: DispatchTime?) {
        guard !isClosed else { return }
        if end == nil, let refusal = owner.refusalOfListener() {
            machine.refuse(refusal)
            return advance()
        }
        stream = (source, end)
        isStreamWaiting = false
        if let end { owner.look(by: end) }
        advance()
    }

    func resume() {
        isStreamWaiting = false
        advance()
    }

    private func pull() {
        let limit = min(Self.streamBytes, machine.unsentBytesLimit)
        while let source = stream?.source, !isStreamWaiting, machine.unsentCount < limit {
            switch source.next() {
            case .reply(let message): machine.reply(message, continues: true)
            case .last(let message): endStream(message)
            case .later: isStreamWaiting = true
            }
        }
    }

    /// Whether the call that is being handled has replies without an end.
    var isListening: Bool { stream.map { $0.end == nil } ?? false }

    private func endStream(_ message: [UInt8]) {
        stream = nil
        machine.reply(message, continues: false)
    }

    // MARK: - End

    /// Ends what has taken too long, and says when to look again; nil when the connection is closed.
    func expire(at now: DispatchTime) -> DispatchTime? {
        if let stream, let end = stream.end, end <= now {
            endStream(stream.source.timeout())
            advance()
        }
        let isIdle = isIdle
        if isIdle, idleEnd <= now { close() }
        if isClosed { return nil }
        let next = max(idleEnd, isIdle ? idleEnd : now + .seconds(idleSeconds))
        return stream?.end.map { min($0, next) } ?? next
    }

    /// A client is idle if it has no call in progress or does not read its replies. The system may hold everything
    /// written so far, so a client whose stream is not waiting for data does not read either.
    private var isIdle: Bool {
        !machine.isHandling || machine.unsentCount > 0 || (stream != nil && !isStreamWaiting)
    }

    /// When the client was last active, or `nil` if it is not idle.
    var idleSince: DispatchTime? { isIdle ? lastActivity : nil }

    private var idleEnd: DispatchTime { lastActivity + .seconds(idleSeconds) }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        stream = nil
        attachment = nil
        poller.watch(self, for: [])
        Glibc.close(descriptor)
        owner.didClose(self)
    }
}
