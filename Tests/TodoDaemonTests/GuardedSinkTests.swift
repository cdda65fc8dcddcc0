import Reminders
import Synchronization
import Systemd
import TestBus
import Testing

@testable import Alerts

@Suite struct GuardedSinkTests {
    /// Records batches, and completes them when the test asks for it.
    private final class StuckSink: AlertSink {
        enum Event: Hashable {
            case batch(Int)
            case closed([Int64])
        }

        let events = Mailbox<Event>()
        private let callbacks = Mutex<[@Sendable () -> Void]>([])

        func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
            callbacks.withLock { $0.append { delivered(batch.alerts) } }
            events.put(.batch(batch.alerts.count))
        }

        func closeAlerts(of itemIDs: [Int64]) { events.put(.closed(itemIDs)) }

        /// Completes this many batches, beginning with the first.
        func finish(_ count: Int = .max) {
            let first = callbacks.withLock { callbacks in
                defer { callbacks = Array(callbacks.dropFirst(count)) }
                return callbacks.prefix(count)
            }
            for callback in first { callback() }
        }
    }

    private let sink = StuckSink()
    private let lines = KeptLog()

    private func guarded(name: String = "desktop", deadlineSeconds: Double? = nil, waitingLimit: Int = 10)
        -> GuardedSink
    {
        GuardedSink(
            sink, name: name, deadlineSeconds: deadlineSeconds, waitingLimit: waitingLimit, log: lines.log)
    }

    @Test func deliveredAlertsAreReported() throws {
        let delivered = Mailbox<[Alert]>()
        guarded(deadlineSeconds: 60).send(.test(count: 2)) { delivered.put($0) }
        #expect(try sink.events.next() == .batch(2))
        #expect(delivered.isEmpty)
        sink.finish()
        #expect(try delivered.next().count == 2)
    }

    @Test func sinkIsBackWhenNoAlertWaits() throws {
        let guarded = guarded(deadlineSeconds: 0)
        let delivered = Mailbox<[Alert]>()
        for _ in 0..<2 { guarded.send(.test(count: 1)) { delivered.put($0) } }
        for _ in 0..<2 { #expect(try sink.events.next() == .batch(1)) }
        #expect(try lines.next().contains("does not answer"))
        sink.finish(1)
        #expect(try delivered.next().count == 1)
        // The next event on the queue of the guard.
        guarded.closeAlerts(of: [1])
        #expect(try sink.events.next() == .closed([1]))
        #expect(lines.isEmpty)
        #expect(guarded.states.map(\.condition) == [.heldUp])
        sink.finish()
        #expect(try lines.next() == "The desktop accepts alerts again")
    }

    @Test func hangingSinkIsReportedOnceAndWhenItIsBack() throws {
        let guarded = guarded(deadlineSeconds: 0)
        guarded.send(.test(count: 1)) { _ in }
        #expect(
            try lines.next() == "The desktop does not answer; its alerts wait, everything else continues")
        guarded.send(.test(count: 1)) { _ in }
        for _ in 0..<2 { #expect(try sink.events.next() == .batch(1)) }
        #expect(guarded.states == [SinkState(name: "desktop", condition: .heldUp, waiting: 2)])
        sink.finish()
        #expect(try lines.next() == "The desktop accepts alerts again")
        #expect(guarded.states == [SinkState(name: "desktop", condition: .ready)])
        #expect(lines.isEmpty)
    }

    @Test func alertsBeyondTheLimitAreRefusedAndNotKept() throws {
        let guarded = guarded(name: "journal")
        let delivered = Mailbox<[Alert]>()
        guarded.send(.test(count: 8)) { _ in }
        #expect(try sink.events.next() == .batch(8))
        for _ in 0..<3 {
            guarded.send(.test(count: 3)) { delivered.put($0) }
            #expect(try delivered.next() == [])
        }
        #expect(
            try lines.next() == "The journal does not keep up; it gets no more alerts until it does")
        sink.finish()
        #expect(try lines.next() == "The journal accepts alerts again")
        guarded.send(.test(count: 3)) { _ in }
        #expect(try sink.events.next() == .batch(3))
        #expect(lines.isEmpty)
    }

    @Test func singleBatchMayExceedTheLimit() throws {
        guarded().send(.test(count: 1_000)) { _ in }
        #expect(try sink.events.next() == .batch(1_000))
    }

    @Test func alertIsClosedAfterItsBatchIsSent() throws {
        let guarded = guarded()
        guarded.send(.test(count: 1)) { _ in }
        guarded.closeAlerts(of: [0])
        #expect(try sink.events.next() == .batch(1))
        #expect(try sink.events.next() == .closed([0]))
    }

    @Test func onlyTheRecordSinkReportsDelivery() throws {
        let other = StuckSink()
        let delivered = Mailbox<[Alert]>()
        let sinks = AlertSinks(primary: sink, others: [other])
        sinks.send(.test(count: 2)) { delivered.put($0) }
        other.finish()
        #expect(delivered.isEmpty)
        sink.finish()
        #expect(try delivered.next().count == 2)
        sinks.closeAlerts(of: [1])
        #expect(try other.events.next() == .batch(2))
        #expect(try other.events.next() == .closed([1]))
    }
}
