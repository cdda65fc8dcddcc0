internal import CLinux
package import Dispatch
internal import Glibc
package import Varlink

/// Waits for descriptors on a thread of its own, and says on a queue which are ready.
///
/// The thread runs the queue itself, as long as the queue has nothing else to do, so that between a call and its answer no
/// other thread has to wake up. Every call belongs on that queue.
///
/// `@unchecked Sendable`: the thread waits, and touches everything else on the queue only.
package final class Poller: @unchecked Sendable {
    /// What somebody waits for on his descriptor, which does not block.
    package struct Interest: OptionSet {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let reading = Interest(rawValue: EPOLLIN.rawValue)
        package static let writing = Interest(rawValue: EPOLLOUT.rawValue)
        /// That the other side is gone altogether; one that only sends no more is still there.
        package static let leaving = Interest(rawValue: EPOLLHUP.rawValue)
    }

    package protocol Client: AnyObject {
        var descriptor: Int32 { get }
        func canRead()
        func canWrite()
        func peerHasLeft()
    }

    /// Takes what is ready; `deliver` gives it to the clients, and looks for more when it is called again. It says
    /// whether there was any. True when somebody was answered, who may have the next thing to say.
    package typealias Round = (_ deliver: () -> Bool) -> Bool

    /// So many are told of at once; who is ready besides is told in the next round.
    private static let eventsAtOnce = 64
    private static let endMarker = -1 as Int32
    /// Who has his answer is given so long to go on, without the thread going to sleep. Waking up takes longer.
    private static let nanosecondsAwake = 60_000 as UInt64

    private let queue: DispatchQueue
    private let round: Round
    private let epoll: Int32
    private let endEvent: Int32
    /// With a single processor whoever is answered could not go on while the thread looks for him.
    private let canStayAwake = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: eventsAtOnce)
    private var clients: [Int32: (client: any Client, interest: Interest)] = [:]
    private var hasEnded = false

    /// Begins to wait; `round` is called on `queue` until `stop`.
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

    /// Tells nobody of anything any more.
    package func stop() {
        hasEnded = true
        clients = [:]
        eventfd_write(endEvent, 1)
    }

    // MARK: - Clients

    /// Keeps `client`, and tells it when what it waits for is there, until it waits for nothing any more.
    package func watch(_ client: any Client, for interest: Interest) {
        let descriptor = client.descriptor
        let known = clients[descriptor]?.interest ?? []
        guard interest != known, !hasEnded else { return }
        clients[descriptor] = interest.isEmpty ? nil : (client, interest)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        // Who waits for nothing is taken out: the system would tell him, without end, that the other side has left.
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

    /// An event may be older than what its client waits for now, or be of one that has gone.
    private func deliver(_ event: epoll_event) {
        let descriptor = event.data.fd
        // That the other side has left shows when one reads or writes, too.
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
