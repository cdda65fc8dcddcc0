package import Dispatch
internal import Glibc
package import Varlink

/// Serves Varlink on a listening socket: accepts the owner's connections and carries out their calls in turns.
///
/// A turn takes all calls that have come meanwhile, of whatever connection, each connection's in their order. Answers
/// go out when the turn has ended, so that it can be one transaction. Everything happens on the queue it is given.
package final class Server {
    /// Enough for every shell, script and status bar of one person; each costs at most a few megabytes.
    package static let connectionsLimit = 128
    /// So many calls at most share a turn; what more there is waits for the next.
    package static let callsPerTurnLimit = 1_000
    /// A turn takes no further call when its calls have taken so many milliseconds, so that expensive calls of one client
    /// delay the others by one call at most.
    package static let turnMillisecondsLimit = 200
    /// So many connections at most have replies without an end, such as those that watch. The others are for short calls.
    package static let listenersLimit = connectionsLimit - 16
    /// All connections together hold so many bytes of replies that their clients have not read. Beyond that, only clients
    /// that read are served.
    package static let heldBytesLimit = 64 << 20
    /// A reply of up to so many bytes is sent nevertheless.
    private static let shortReplyBytes = 256 << 10
    /// When all connections are taken, one that has been idle for so long is closed to admit a new one.
    package static let crowdedIdleSecondsLimit = 10
    /// A connection on which nothing has happened for so long is closed, unless a call of it is being handled. A message has
    /// to be there as a whole so long after its first byte.
    package static let idleSecondsLimit = 300

    private static let readBytes = 64 << 10
    /// When nobody can be let in, it is tried again after so long, or when a connection is closed.
    private static let acceptAgainSeconds = 1

    /// Carries out one call.
    package typealias Handler = (Responder) -> Void
    /// Runs `calls`, which are a turn. When nothing of what they did is kept, the error that answers each of them.
    package typealias Turn = (_ calls: () -> Void) -> [UInt8]?

    private let listener: UnixListener
    private let queue: DispatchQueue
    private var poller: Poller?
    private let timer: any DispatchSourceTimer
    private let brokenMessageError: String
    private let idleSeconds: Int
    private let crowdedIdleSeconds: Int
    private let turnMilliseconds: Int
    private let heldBytesLimit: Int
    private let ownerID: UInt32
    private let handle: Handler
    private let turn: Turn
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// One for all of them, because they read one after the other.
    let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: readBytes)

    /// The calls for the next turn.
    private var waiting: [Responder] = []
    private lazy var nextTurn = DispatchWorkItem { [weak self] in self?.takeTurn() }
    /// Whether calls are being gathered or carried out, and those that come meanwhile are seen to without being asked.
    private var isAtWork = false
    /// When the timer fires next; nil when there is nobody to look at.
    private var nextLook: DispatchTime?

    package init(
        listener: UnixListener, queue: DispatchQueue, brokenMessageError: String,
        idleSeconds: Int = Server.idleSecondsLimit,
        crowdedIdleSeconds: Int = Server.crowdedIdleSecondsLimit,
        turnMilliseconds: Int = Server.turnMillisecondsLimit, heldBytes: Int = Server.heldBytesLimit,
        ownerID: UInt32 = getuid(),
        handle: @escaping Handler,
        turn: @escaping Turn = { calls in
            calls()
            return nil
        }
    ) {
        self.listener = listener
        self.queue = queue
        self.brokenMessageError = brokenMessageError
        self.idleSeconds = idleSeconds
        self.crowdedIdleSeconds = crowdedIdleSeconds
        self.turnMilliseconds = turnMilliseconds
        heldBytesLimit = heldBytes
        self.ownerID = ownerID
        self.handle = handle
        self.turn = turn
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    deinit {
        readBuffer.deallocate()
    }

    package var connectionCount: Int { connections.count }

    package func start() throws(SystemError) {
        let poller = try Poller(queue: queue) { [unowned self] in takeRound($0) }
        self.poller = poller
        poller.watch(self, for: .reading)
        timer.setEventHandler { [weak self] in self?.lookAround() }
        timer.resume()
    }

    /// Takes no more calls and closes every connection; what was answered has been handed to the system already.
    package func stop() {
        poller?.stop()
        timer.cancel()
        waiting = []
        for connection in connections.values { connection.close() }
        listener.close()
    }

    private func accept() {
        guard let poller else { return }
        while true {
            switch listener.accept() {
            // Only the owner may come in; root has no business here either, he has the files.
            case .peer(let peer) where peer.userID != ownerID,
                .surplus(let peer) where peer.userID != ownerID:
                turnAway(peer, MethodReply.bytes(error: "\(ServiceInterface.name).PermissionDenied") { _ in })
            case .peer(let peer) where makeRoom(): letIn(peer, poller)
            case .peer(let peer): turnAway(peer, tooManyConnections)
            case .surplus(let peer): turnAway(peer, noDescriptors)
            case .nobody: return
            case .failure:
                // The listener would say without end that somebody waits.
                poller.watch(self, for: [])
                return look(by: .now() + .seconds(Self.acceptAgainSeconds))
            }
        }
    }

    /// Whether there is room for one more connection, if need be in the place of the one that has been idle longest.
    private func makeRoom() -> Bool {
        if connections.count < Self.connectionsLimit { return true }
        let latest = DispatchTime.now() - .seconds(crowdedIdleSeconds)
        let idle = connections.values.compactMap { connection in
            connection.idleSince.map { (since: $0, connection: connection) }
        }
        guard let oldest = idle.min(by: { $0.since < $1.since }), oldest.since <= latest else { return false }
        oldest.connection.close()
        return true
    }

    private func letIn(_ peer: UnixListener.Peer, _ poller: Poller) {
        let connection = Connection(
            descriptor: peer.descriptor, poller: poller,
            machine: ServerConnection(brokenMessageError: brokenMessageError), idleSeconds: idleSeconds,
            owner: self)
        connections[ObjectIdentifier(connection)] = connection
        connection.start()
    }

    /// Whoever asks nevertheless reads `reply` as his answer.
    private func turnAway(_ peer: UnixListener.Peer, _ reply: [UInt8]) {
        let bytes = reply + [FrameDecoder.Terminator.nul.rawValue]
        bytes.withUnsafeBytes { _ = send(peer.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(peer.descriptor)
    }

    private var tooManyConnections: [UInt8] {
        noRoom("\(Self.connectionsLimit) connections are open already; close one of them")
    }

    private var noDescriptors: [UInt8] {
        noRoom(
            "the process has as many files open as it may (LimitNOFILE=); close one of \(connections.count) connections"
        )
    }

    private func noRoom(_ reason: String) -> [UInt8] {
        MethodReply.bytes(error: brokenMessageError) { fields in
            fields.name("reason")
            fields.value(reason)
        }
    }

    // MARK: - Turns

    /// Hands a call out once more, in a turn to come: it could not be carried out in its own.
    package func handIn(_ responder: Responder) {
        waiting.append(responder)
        if waiting.count == 1, !isAtWork { schedule() }
    }

    private func schedule() {
        queue.async(execute: nextTurn)
    }

    /// Reads what has come, and carries it out; whether there were calls.
    private func takeRound(_ deliver: () -> Bool) -> Bool {
        isAtWork = true
        var count = waiting.count
        // Who has sent a call may have neighbours who are about to; who is alone has none.
        while deliver(), connections.count > 1, waiting.count > count, waiting.count < Self.callsPerTurnLimit
        {
            count = waiting.count
        }
        defer { takeTurn() }
        return !waiting.isEmpty
    }

    private func takeTurn() {
        isAtWork = true
        defer {
            isAtWork = false
            if !waiting.isEmpty { schedule() }
        }
        guard !waiting.isEmpty else { return }
        var count = 0
        let end = DispatchTime.now() + .milliseconds(turnMilliseconds)
        let failure = turn {
            // A call that is answered brings its connection's next one to the end of the list.
            repeat {
                let responder = waiting[count]
                count += 1
                responder.carryOut(handle)
            } while count < min(waiting.count, Self.callsPerTurnLimit) && DispatchTime.now() < end
        }
        let handled = waiting.prefix(count)
        waiting = count == waiting.count ? [] : Array(waiting.dropFirst(count))
        for responder in handled { responder.endTurn(failure: failure) }
    }
}

// MARK: - Connections

extension Server: Poller.Client {
    package var descriptor: Int32 { listener.descriptor }
    package func canRead() { accept() }
    package func canWrite() {}
    package func peerHasLeft() {}
}

extension Server: Connection.Owner {
    func didReceive(_ responder: Responder) {
        handIn(responder)
    }

    var holdsTooMuch: Bool { heldBytes >= heldBytesLimit }

    private var heldBytes: Int { connections.values.reduce(0) { $0 + $1.unsentCount } }

    var room: Int { max(Self.shortReplyBytes, heldBytesLimit - heldBytes) }

    func refusal(ofBytes count: Int) -> [UInt8]? {
        guard count > room else { return nil }
        return noRoom(
            "\(heldBytesLimit >> 20) MiB of replies have not been read by their clients; ask for several replies "
                + "(more), or close other connections")
    }

    func refusalOfListener() -> [UInt8]? {
        guard connections.values.count(where: \.isListening) >= Self.listenersLimit else { return nil }
        return noRoom("\(Self.listenersLimit) connections watch already; close one of them")
    }

    func didClose(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        poller?.watch(self, for: .reading)
    }

    func look(by moment: DispatchTime) {
        if let nextLook, nextLook <= moment { return }
        nextLook = moment
        timer.schedule(deadline: moment)
    }

    private func lookAround() {
        nextLook = nil
        poller?.watch(self, for: .reading)
        let now = DispatchTime.now()
        for connection in connections.values {
            if let moment = connection.expire(at: now) { look(by: moment) }
        }
    }
}
