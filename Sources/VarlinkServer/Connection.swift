internal import Dispatch
internal import Glibc
internal import Varlink

/// A client's connection to the socket.
///
/// All calls to it and from it are made on the server's queue.
final class Connection: Poller.Client, ReplyDestination {
    /// The number of unsent bytes at which a stream pauses. Its source is asked for more when the client has
    /// read them.
    private static let streamBytes = 64 << 10

    /// The server, as far as its connections use it.
    protocol Owner: AnyObject {
        /// The buffer into which all connections read. Its contents are valid until the next read.
        var readBuffer: UnsafeMutableBufferPointer<UInt8> { get }
        /// Called when a call has arrived. The owner hands it out in a turn.
        func didReceive(_ responder: Responder)
        /// Whether all connections together hold the maximum number of unread reply bytes.
        var holdsTooMuch: Bool { get }
        /// The maximum size of a last reply, in bytes.
        var room: Int { get }
        /// Returns the error that replaces a last reply of that size, or `nil` if there is room for the
        /// reply.
        func refusal(ofBytes count: Int) -> [UInt8]?
        /// Returns the error that answers a call with endless replies, or `nil` if another such call is
        /// allowed.
        func refusalOfListener() -> [UInt8]?
        /// Schedules a check of all connections for timeouts, no later than at that time.
        func checkConnections(by moment: DispatchTime)
        func didClose(_ connection: Connection)
    }

    let descriptor: Int32
    private(set) var isClosed = false
    private var machine: ServerConnection
    private let idleSeconds: Int
    private unowned let owner: any Owner
    private let poller: Poller
    private var isInTurn = false
    /// The time, on the monotonic clock, when the client last began a message, completed one, or read part of
    /// a reply.
    ///
    /// Bytes within a message do not count. Otherwise a client that sends one from time to time could keep
    /// its place forever.
    private var lastActivity = DispatchTime.now()

    /// State that a handler keeps between calls of this connection.
    var attachment: AnyObject?

    /// The source of the replies to the current call, or `nil` if they are sent directly.
    private var stream: (source: any ReplySource, end: DispatchTime?)?
    private var isStreamWaiting = false

    /// Creates a connection that takes ownership of `descriptor`, which must be non-blocking.
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
        owner.checkConnections(by: idleEnd)
    }

    // MARK: - In

    func canRead() {
        let wasInMessage = machine.holdsInput
        let buffer = owner.readBuffer
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            machine.receive(UnsafeBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            // A client that has shut down only its sending side still gets its replies. If it has
            // disconnected, calls that it sent without waiting for a reply are still carried out.
            machine.receiveEnd()
        } else if errno == EAGAIN || errno == EINTR {
            return
        } else {
            return close()
        }
        // If a call was handed out, the end of its turn writes.
        if !deliverCalls(), !isClosed { write() }
        if !wasInMessage, machine.holdsInput { lastActivity = .now() }
    }

    func canWrite() { advance() }

    /// Closes the connection because no client can read the stream.
    func peerHasLeft() { close() }

    /// Hands out the next call, then sends pending output.
    private func advance() {
        guard !isClosed else { return }
        deliverCalls()
        if !isInTurn, !isClosed { write() }
    }

    /// Hands out the next call, if there is one.
    ///
    /// - Returns: true if there was a call.
    @discardableResult
    private func deliverCalls() -> Bool {
        updateLimit()
        guard let call = machine.nextCall() else { return false }
        lastActivity = .now()
        owner.didReceive(Responder(to: self, call: call))
        return true
    }

    /// Lowers the limit of a client with unread replies while all connections together hold too many bytes.
    private func updateLimit() {
        let isNarrow = machine.unsentCount > 0 && owner.holdsTooMuch
        machine.unsentBytesLimit = isNarrow ? 1 : ServerConnection.unsentBytesLimit
    }

    // MARK: - Turns

    /// Begins a turn. Replies are sent when the turn ends.
    func beginTurn() {
        guard !isInTurn, !isClosed else { return }
        isInTurn = true
        machine.beginTurn()
    }

    /// Ends the turn and sends its replies. If there is a `failure`, it replaces each of them.
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

    func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool) {
        guard !isClosed else { return }
        if !continues, isRefusable, let refusal = owner.refusal(ofBytes: message.count) {
            machine.refuse(refusal)
        } else {
            machine.reply(message, continues: continues)
        }
        advance()
    }

    /// The number of reply bytes that the client has not read.
    var unsentCount: Int { machine.unsentCount }

    private func write() {
        updateLimit()
        pull()
        guard sendOutput() else { return close() }
        // A call may have been waiting for the space that is now free.
        deliverCalls()
        if isClosed { return }
        if machine.isFinished { return close() }
        var interest: Poller.Interest = []
        if machine.wantsInput || (stream != nil && machine.hasRoomForInput) { interest.insert(.reading) }
        if machine.unsentCount > 0 || (stream != nil && !isStreamWaiting) { interest.insert(.writing) }
        // If the connection does not read, this is the only way to notice that the client has disconnected.
        if stream != nil, !interest.contains(.reading) { interest.insert(.leaving) }
        poller.watch(self, for: interest)
    }

    /// Sends as much as the client accepts. Returns false if the client has disconnected.
    private func sendOutput() -> Bool {
        guard let count = Self.send(from: &machine, to: descriptor) else { return false }
        if count > 0 { lastActivity = .now() }
        return true
    }

    /// Sends as much as the client accepts.
    ///
    /// - Returns: the number of bytes sent, or `nil` if the client has disconnected.
    private static func send(from machine: inout ServerConnection, to descriptor: Int32) -> Int? {
        var sentCount = 0
        while machine.unsentCount > 0 {
            let count = machine.output.withUnsafeBytes { buffer in
                // If the client has disconnected, `send` should fail instead of raising SIGPIPE.
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
        if let end { owner.checkConnections(by: end) }
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

    /// Whether the current call has endless replies.
    var isListening: Bool { stream.map { $0.end == nil } ?? false }

    private func endStream(_ message: [UInt8]) {
        stream = nil
        machine.reply(message, continues: false)
    }

    // MARK: - End

    /// Ends a stream or connection that has timed out. Returns the time of the next check, or `nil` if the
    /// connection is closed.
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

    /// Whether the client has no call in progress or does not read its replies. The kernel may hold
    /// everything written so far, so a stream that is not waiting for data counts as unread, too.
    private var isIdle: Bool {
        !machine.isHandling || machine.unsentCount > 0 || (stream != nil && !isStreamWaiting)
    }

    /// The time when the client was last active, or `nil` if it is not idle.
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
