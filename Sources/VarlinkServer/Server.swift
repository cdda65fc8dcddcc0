package import Dispatch
internal import Glibc
package import Platform
internal import Varlink

/// A Varlink server on a listening socket, for connections of the owner. It carries out their calls in turns.
///
/// A turn consists of all calls that have arrived, from any connection. The calls of each connection stay in
/// order. Replies are sent when the turn has ended, so a turn can be one transaction. Everything happens on
/// the given queue.
package final class Server {
    /// The maximum number of connections. This is enough for all shells, scripts and status bars of one user.
    /// Each connection uses at most a few megabytes.
    package static let connectionsLimit = 128
    /// The maximum number of calls in a turn. Other calls wait for the next turn.
    package static let callsPerTurnLimit = 1_000
    /// The time after which a turn starts no more calls, so that expensive calls of one client delay others
    /// by at most one call.
    package static let turnMillisecondsLimit = 200
    /// The maximum number of connections with endless replies, such as those of watchers. The other
    /// connections stay available for short calls.
    package static let listenersLimit = connectionsLimit - 16
    /// The maximum number of reply bytes that all connections together hold for their clients. Beyond it,
    /// only clients that read their replies are served.
    package static let heldBytesLimit = 64 << 20
    /// The size up to which a reply is sent even beyond that limit.
    private static let shortReplyBytes = 256 << 10
    /// The idle time after which a connection may be closed for a new one if all connections are in use.
    package static let crowdedIdleSecondsLimit = 10
    /// The time without activity after which a connection is closed, unless one of its calls is being
    /// handled. A message must be complete within this time after its first byte.
    package static let idleSecondsLimit = 300

    private static let readBytes = 64 << 10
    /// The time after which accepting is retried if it fails. It is also retried when a connection closes.
    private static let acceptAgainSeconds = 1

    /// Handles one call.
    package typealias Handler = (Responder) -> Void
    /// Runs `calls`, the calls of one turn. If their changes are discarded, returns the error that answers each
    /// of them. Otherwise returns `nil`.
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
    /// The read buffer. All connections share it because they read one after another.
    let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: readBytes)

    /// The calls for the next turn.
    private var waiting: [Responder] = []
    private lazy var nextTurn = DispatchWorkItem { [weak self] in self?.runTurn() }
    /// Whether calls are being collected or handled. New calls then need no scheduling.
    private var isAtWork = false
    /// The next time at which the timer fires, or `nil` if it is not scheduled.
    private var nextCheck: DispatchTime?

    package init(
        listener: UnixListener, queue: DispatchQueue, brokenMessageError: String,
        idleSeconds: Int = Server.idleSecondsLimit,
        crowdedIdleSeconds: Int = Server.crowdedIdleSecondsLimit,
        turnMilliseconds: Int = Server.turnMillisecondsLimit, heldBytes: Int = Server.heldBytesLimit,
        ownerID: UInt32 = Environment.userID,
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
        timer.setEventHandler { [weak self] in self?.checkConnections() }
        timer.resume()
    }

    /// Stops handling calls and closes every connection. Earlier replies have already been passed to the
    /// kernel.
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
            // Only the owner may connect. Root does not need the socket because it can access the files.
            case .peer(let peer) where peer.userID != ownerID,
                .surplus(let peer) where peer.userID != ownerID:
                turnAway(peer, MethodReply.bytes(error: "\(ServiceInterface.name).PermissionDenied") { _ in })
            case .peer(let peer) where makeRoom(): letIn(peer, poller)
            case .peer(let peer): turnAway(peer, tooManyConnections)
            case .surplus(let peer): turnAway(peer, noDescriptors)
            case .noClient: return
            case .failure:
                // The listener would otherwise report the waiting client repeatedly.
                poller.watch(self, for: [])
                return checkConnections(by: .now() + .seconds(Self.acceptAgainSeconds))
            }
        }
    }

    /// Whether another connection is allowed. If necessary, closes the connection that has been idle longest.
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

    /// Refuses a connection. The client reads `reply` as the answer to its first call.
    private func turnAway(_ peer: UnixListener.Peer, _ reply: [UInt8]) {
        let bytes = reply + [FrameDecoder.Terminator.nul.rawValue]
        bytes.withUnsafeBytes { _ = send(peer.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(peer.descriptor)
    }

    private var tooManyConnections: [UInt8] {
        noRoom("\(Self.connectionsLimit) connections are already open; close one of them")
    }

    private var noDescriptors: [UInt8] {
        noRoom(
            "the process has reached its limit of open files (LimitNOFILE=); close one of \(connections.count) connections"
        )
    }

    private func noRoom(_ reason: String) -> [UInt8] {
        MethodReply.bytes(error: brokenMessageError) { fields in
            fields.name("reason")
            fields.value(reason)
        }
    }

    // MARK: - Turns

    /// Adds a call to a later turn because it could not be carried out in its own.
    package func enqueue(_ responder: Responder) {
        waiting.append(responder)
        if waiting.count == 1, !isAtWork { schedule() }
    }

    private func schedule() {
        queue.async(execute: nextTurn)
    }

    /// Reads new calls and carries them out. Returns whether there were any.
    private func takeRound(_ deliver: () -> Bool) -> Bool {
        isAtWork = true
        var count = waiting.count
        // If there are several clients, others may be about to send calls for the same turn.
        while deliver(), connections.count > 1, waiting.count > count, waiting.count < Self.callsPerTurnLimit
        {
            count = waiting.count
        }
        defer { runTurn() }
        return !waiting.isEmpty
    }

    private func runTurn() {
        isAtWork = true
        defer {
            isAtWork = false
            if !waiting.isEmpty { schedule() }
        }
        guard !waiting.isEmpty else { return }
        var count = 0
        let end = DispatchTime.now() + .milliseconds(turnMilliseconds)
        let failure = turn {
            // When a call is answered, the next call of its connection is appended to the list.
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
        enqueue(responder)
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
        return noRoom("\(Self.listenersLimit) connections already watch; close one of them")
    }

    func didClose(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        poller?.watch(self, for: .reading)
    }

    func checkConnections(by moment: DispatchTime) {
        if let nextCheck, nextCheck <= moment { return }
        nextCheck = moment
        timer.schedule(deadline: moment)
    }

    private func checkConnections() {
        nextCheck = nil
        poller?.watch(self, for: .reading)
        let now = DispatchTime.now()
        for connection in connections.values {
            if let moment = connection.expire(at: now) { checkConnections(by: moment) }
        }
    }
}
