import Dispatch
import Glibc
import Testing
import VarlinkServer

/// The poller on real sockets.
@Suite struct PollerTests {
    @Test func readingIsReportedWhenBytesArrive() throws {
        let test = try PollerTest()
        let pair = try test.pair()
        test.watch(pair, for: .reading)
        pair.sendByte()
        #expect(test.next() == SentAlert(pair, .reading))
    }

    @Test func writingIsReportedWhenThereIsRoom() throws {
        let test = try PollerTest()
        let pair = try test.pair()
        test.watch(pair, for: [.reading, .writing])
        #expect(test.next() == SentAlert(pair, .writing))
    }

    /// The system reports a disconnected peer as long as a descriptor is registered.
    @Test func disconnectionIsNotReportedWithoutInterest() throws {
        let test = try PollerTest()
        let (busy, other) = (try test.pair(), try test.pair())
        test.watch(busy, for: .reading)
        test.watch(busy, for: [])
        busy.hangUp()
        test.watch(other, for: .reading)
        other.sendByte()
        #expect(test.next() == SentAlert(other, .reading))
        #expect(test.rounds == 1)
        test.watch(busy, for: .reading)
        #expect(test.next() == SentAlert(busy, .reading))
    }

    /// A peer that has only ended its sending may still read.
    @Test func onlyDisconnectionIsReportedToClientWaitingForIt() throws {
        let test = try PollerTest()
        let (quiet, other) = (try test.pair(), try test.pair())
        test.watch(quiet, for: .leaving)
        quiet.sendByte()
        quiet.endSending()
        test.watch(other, for: .reading)
        other.sendByte()
        #expect(test.next() == SentAlert(other, .reading))
        #expect(test.rounds == 1)
        quiet.hangUp()
        #expect(test.next() == SentAlert(quiet, .leaving))
    }

    @Test func endedInterestIsNotReportedInSameRound() throws {
        let test = try PollerTest()
        let pairs = [try test.pair(), try test.pair()]
        test.whenTold { poller in
            for pair in pairs { poller.watch(pair, for: []) }
        }
        test.onQueue {
            for pair in pairs {
                test.poller?.watch(pair, for: .reading)
                pair.sendByte()
            }
        }
        let first = try #require(test.next())
        #expect(pairs.contains { first == SentAlert($0, .reading) })
        let last = try test.pair()
        test.watch(last, for: .reading)
        last.sendByte()
        #expect(test.next() == SentAlert(last, .reading))
    }

    @Test func stoppedPollerIsReleased() throws {
        let hasGone = DispatchSemaphore(value: 0)
        let test = try PollerTest(goodbye: Goodbye { hasGone.signal() })
        test.stop()
        #expect(hasGone.wait(timeout: .now() + 30) == .success)
    }
}

private struct SentAlert: Equatable {
    let descriptor: Int32
    let interest: Poller.Interest

    init(_ pair: SocketPair, _ interest: Poller.Interest) {
        descriptor = pair.descriptor
        self.interest = interest
    }
}

/// A poller, and its reports.
///
/// `@unchecked Sendable`: all state is used on the queue only.
private final class PollerTest: @unchecked Sendable {
    private let queue = DispatchQueue(label: "poller")
    private(set) var poller: Poller?
    private var roundCount = 0
    private var sent: [SentAlert] = []
    private var whenTold: (Poller) -> Void = { _ in }
    private let wasTold = DispatchSemaphore(value: 0)

    init(goodbye: Goodbye? = nil) throws {
        poller = try Poller(queue: queue) { [unowned self] deliver in
            withExtendedLifetime(goodbye) { roundCount += 1 }
            return deliver()
        }
    }

    deinit { stop() }

    func onQueue(_ body: () -> Void) { queue.sync(execute: body) }

    var rounds: Int { queue.sync { roundCount } }

    func pair() throws -> SocketPair {
        try SocketPair { [unowned self] pair, interest in
            sent.append(SentAlert(pair, interest))
            wasTold.signal()
            // One report for each registration is enough.
            poller?.watch(pair, for: [])
            if let poller { whenTold(poller) }
        }
    }

    func watch(_ pair: SocketPair, for interest: Poller.Interest) {
        queue.sync { poller?.watch(pair, for: interest) }
    }

    func whenTold(_ action: @escaping (Poller) -> Void) { queue.sync { whenTold = action } }

    /// The next report, or `nil` if there is none.
    func next() -> SentAlert? {
        guard wasTold.wait(timeout: .now() + 30) == .success else { return nil }
        return queue.sync { sent.removeFirst() }
    }

    func stop() {
        queue.sync {
            poller?.stop()
            poller = nil
        }
    }
}

/// Two connected sockets. The poller watches one of them.
private final class SocketPair: Poller.Client {
    let descriptor: Int32
    private var peer: Int32
    private let wasTold: (SocketPair, Poller.Interest) -> Void

    init(wasTold: @escaping (SocketPair, Poller.Interest) -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        descriptor = ends[0]
        peer = ends[1]
        self.wasTold = wasTold
    }

    deinit {
        hangUp()
        close(descriptor)
    }

    func sendByte() { #expect(write(peer, "x", 1) == 1) }

    func endSending() { #expect(shutdown(peer, Int32(SHUT_WR)) == 0) }

    func hangUp() {
        if peer >= 0 { close(peer) }
        peer = -1
    }

    func canRead() { wasTold(self, .reading) }
    func canWrite() { wasTold(self, .writing) }
    func peerHasLeft() { wasTold(self, .leaving) }
}
