internal import CLinux
package import Dispatch
internal import Glibc
package import Platform
internal import Varlink

/// A poller that waits for events of descriptors on its own thread, and reports them on a queue.
///
/// If the queue is idle, the thread itself runs the queue's work, so that no other thread has to wake up
/// between a call and its reply. All methods must be called on that queue.
///
/// `@unchecked Sendable`: the thread itself only waits. It accesses all other state on the queue.
package final class Poller: @unchecked Sendable {
    /// The events that a client waits for. Its descriptor must be non-blocking.
    package struct Interest: OptionSet {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let reading = Interest(rawValue: EPOLLIN.rawValue)
        package static let writing = Interest(rawValue: EPOLLOUT.rawValue)
        /// The peer has disconnected completely. A peer that has only shut down its sending side does not
        /// count.
        package static let leaving = Interest(rawValue: EPOLLHUP.rawValue)
    }

    package protocol Client: AnyObject {
        var descriptor: Int32 { get }
        func canRead()
        func canWrite()
        func peerHasLeft()
    }

    /// Handles ready descriptors. `deliver` passes events to the clients, checks for new events when called
    /// again, and returns whether there were any. The round returns true if a client was answered, because
    /// the client may soon send its next call.
    package typealias Round = (_ deliver: () -> Bool) -> Bool

    /// The maximum number of events in one delivery. Other events are delivered in the next round.
    private static let eventsAtOnce = 64
    private static let endMarker = -1 as Int32
    /// The time for which the thread keeps polling after a client was answered. Waking up a sleeping thread
    /// takes longer.
    private static let nanosecondsAwake = 60_000 as UInt64

    private let queue: DispatchQueue
    private let round: Round
    private let epoll: Int32
    private let endEvent: Int32
    /// On a single processor, the answered client could not run while the thread polls.
    private let canStayAwake = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: eventsAtOnce)
    private var clients: [Int32: (client: any Client, interest: Interest)] = [:]
    private var hasEnded = false

    /// Starts waiting. `round` is called on `queue` until `stop`.
    package init(queue: DispatchQueue, round: @escaping Round) throws(SystemError) {
        self.queue = queue
        self.round = round
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        endEvent = eventfd(0, Int32(EFD_CLOEXEC))
        guard epoll >= 0, endEvent >= 0 else { throw SystemError("wait for clients") }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: Self.endMarker))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, endEvent, &event) == 0 else {
            throw SystemError("wait for clients")
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let error = pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Poller>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard error == 0 else {
            context.release()
            throw SystemError("start a thread that waits for clients", code: error)
        }
        pthread_detach(thread)
    }

    deinit {
        events.deallocate()
        close(epoll)
        close(endEvent)
    }

    /// Stops delivering events.
    package func stop() {
        hasEnded = true
        clients = [:]
        eventfd_write(endEvent, 1)
    }

    // MARK: - Clients

    /// Delivers events of `interest` to `client`, and retains the client until its interest is empty.
    package func watch(_ client: any Client, for interest: Interest) {
        let descriptor = client.descriptor
        let known = clients[descriptor]?.interest ?? []
        guard interest != known, !hasEnded else { return }
        clients[descriptor] = interest.isEmpty ? nil : (client, interest)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        // Clients without interest are removed, because epoll would otherwise report repeatedly that the peer
        // has disconnected.
        let operation = interest.isEmpty ? EPOLL_CTL_DEL : known.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    // MARK: - Thread

    private func run() {
        var isAwake = false
        var isGoingOn = true
        while isGoingOn {
            var count = isAwake ? waitAwake() : 0
            if count == 0 { count = wait(milliseconds: -1) }
            queue.sync {
                isGoingOn = !hasEnded
                guard isGoingOn else { return }
                let hasAnswered = round {
                    if count == 0 { count = wait(milliseconds: 0) }
                    defer { count = 0 }
                    for event in events[..<count] { deliver(event) }
                    return count > 0
                }
                isAwake = hasAnswered && canStayAwake
            }
        }
    }

    private func waitAwake() -> Int {
        let end = DispatchTime.now().uptimeNanoseconds + Self.nanosecondsAwake
        while true {
            let count = wait(milliseconds: 0)
            if count > 0 || DispatchTime.now().uptimeNanoseconds >= end { return count }
        }
    }

    private func wait(milliseconds: Int32) -> Int {
        while true {
            let count = epoll_wait(epoll, events.baseAddress, Int32(Self.eventsAtOnce), milliseconds)
            if count >= 0 { return Int(count) }
            precondition(errno == EINTR, "waiting for clients failed: \(errno)")
        }
    }

    /// Delivers an event to its client. The event may be older than the client's current interest, or the
    /// client may have been removed.
    private func deliver(_ event: epoll_event) {
        let descriptor = event.data.fd
        // Reading and writing also reveal that the peer has disconnected.
        let isOver = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        func isReady(_ interest: Interest) -> (any Client)? {
            guard isOver || event.events & interest.rawValue != 0 else { return nil }
            guard let known = clients[descriptor], known.interest.contains(interest) else { return nil }
            return known.client
        }
        isReady(.reading)?.canRead()
        isReady(.writing)?.canWrite()
        isReady(.leaving)?.peerHasLeft()
    }
}
