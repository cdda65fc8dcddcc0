import Dispatch
import Reminders
import Synchronization
import Systemd
import Testing

@testable import TodoDaemon

@Suite struct GuardedSinkTests {
    /// Keeps what it is given, and ends it when the test says so.
    private final class StuckSink: AlertSink {
        private let callbacks = Mutex<[@Sendable () -> Void]>([])
        let announced = Collected<Announcement>()
        let withdrawn = Collected<[Int64]>()
        private let arrived = DispatchSemaphore(value: 0)

        func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
            announced.append(announcement)
            callbacks.withLock { $0.append { told(announcement.alerts) } }
            arrived.signal()
        }

        func withdraw(itemIDs: [Int64]) {
            withdrawn.append(itemIDs)
            arrived.signal()
        }

        func waitForArrival() { arrived.wait() }

        func finish() {
            let all = callbacks.withLock { callbacks in
                defer { callbacks = [] }
                return callbacks
            }
            for callback in all { callback() }
        }
    }

    /// A log that wakes whoever waits for its next line.
    private final class Lines: Sendable {
        private let lines = Collected<String>()
        private let written = DispatchSemaphore(value: 0)
        var log: Log {
            Log(to: { [self] entry in
                lines.append(entry.message)
                written.signal()
                return true
            })
        }

        func next() -> String? {
            written.wait()
            return lines.all.last
        }
        var count: Int { lines.all.count }
    }

    @Test func whatTheSinkTellsIsTold() {
        let sink = StuckSink()
        let guarded = GuardedSink(sink, name: "desktop", deadlineSeconds: 60, log: Lines().log)
        let told = Collected<[Alert]>()
        let done = DispatchSemaphore(value: 0)
        guarded.announce(.test(count: 2)) {
            told.append($0)
            done.signal()
        }
        sink.waitForArrival()
        #expect(told.all.isEmpty)
        sink.finish()
        done.wait()
        #expect(told.all.map(\.count) == [2])
    }

    @Test func aSinkThatHangsIsReportedOnceAndWhenItIsBack() {
        let sink = StuckSink()
        let lines = Lines()
        let guarded = GuardedSink(sink, name: "desktop", deadlineSeconds: 0, log: lines.log)
        guarded.announce(.test(count: 1)) { _ in }
        #expect(lines.next() == "The desktop does not answer; its reminders wait, everything else goes on")
        guarded.announce(.test(count: 1)) { _ in }
        sink.waitForArrival()
        sink.waitForArrival()
        sink.finish()
        #expect(lines.next() == "The desktop takes reminders again")
        #expect(lines.count == 2)
    }

    @Test func moreThanTheLimitIsRefusedAtOnceAndNothingIsKeptOfIt() {
        let sink = StuckSink()
        let lines = Lines()
        let guarded = GuardedSink(
            sink, name: "journal", deadlineSeconds: nil, waitingLimit: 10, log: lines.log)
        let refused = DispatchSemaphore(value: 0)
        guarded.announce(.test(count: 8)) { _ in }
        for _ in 0..<3 {
            guarded.announce(.test(count: 3)) { if $0.isEmpty { refused.signal() } }
            refused.wait()
        }
        #expect(sink.announced.all.count == 1)
        #expect(
            lines.next() == "The journal does not keep up; it is not given more reminders until it does")
        sink.finish()
        #expect(lines.next() == "The journal takes reminders again")
        guarded.announce(.test(count: 3)) { _ in }
        sink.waitForArrival()
        sink.waitForArrival()
        #expect(sink.announced.all.count == 2)
    }

    @Test func anAnnouncementLongerThanTheLimitIsLetInAlone() {
        let sink = StuckSink()
        let guarded = GuardedSink(
            sink, name: "journal", deadlineSeconds: nil, waitingLimit: 10, log: Lines().log)
        guarded.announce(.test(count: 1_000)) { _ in }
        sink.waitForArrival()
        #expect(sink.announced.all.count == 1)
    }

    @Test func aWithdrawalComesAfterWhatItWithdraws() {
        let sink = StuckSink()
        let guarded = GuardedSink(sink, name: "desktop", deadlineSeconds: nil, log: Lines().log)
        guarded.announce(.test(count: 1)) { _ in }
        guarded.withdraw(itemIDs: [0])
        sink.waitForArrival()
        sink.waitForArrival()
        #expect(sink.announced.all.count == 1)
        #expect(sink.withdrawn.all == [[0]])
    }

    @Test func theRecordAloneSaysWhatWasTold() {
        let record = StuckSink()
        let other = StuckSink()
        let told = Collected<[Alert]>()
        let sinks = AlertSinks(record: record, others: [other])
        sinks.announce(.test(count: 2)) { told.append($0) }
        other.finish()
        #expect(told.all.isEmpty)
        record.finish()
        #expect(told.all.map(\.count) == [2])
        sinks.withdraw(itemIDs: [1])
        #expect(other.withdrawn.all == [[1]])
    }
}
