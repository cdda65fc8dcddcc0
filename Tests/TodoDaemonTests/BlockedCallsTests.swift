import Dispatch
import ObjectStore
import Testing

@testable import TodoService

@Suite struct BlockedCallsTests {
    private let queue = DispatchQueue(label: "test")
    private static let locked = StoreError(.locked, "somebody has it")

    /// The error, the time that a call has waited, whether a background writer has the store, and whether the call
    /// continues to wait.
    @Test(arguments: [
        (StoreError.Code.locked, 0, false, true), (.locked, BlockedCalls.secondsLimit + 1, false, false),
        (.locked, BlockedCalls.secondsLimit + 1, true, true),
        (.backgroundWriter, BlockedCalls.secondsLimit + 1, true, true), (.inUse, 0, false, false),
    ])
    func waitForAnotherProgramIsLimited(
        code: StoreError.Code, seconds: Double, hasBackgroundWriter: Bool, waits: Bool
    ) {
        let blockedCalls = BlockedCalls(queue: queue) { hasBackgroundWriter }
        let came = DispatchTime.now() - seconds
        #expect(queue.sync { blockedCalls.wait(after: StoreError(code, "x"), since: came) {} } == waits)
    }

    @Test func waitingCallIsRetriedEachTimeTheStoreMayBeFree() {
        let blockedCalls = BlockedCalls(queue: queue) { true }
        var calls: [String] = []
        func come(_ name: String) {
            _ = blockedCalls.wait(after: Self.locked, since: .now()) {
                calls.append(name)
                if calls.count < 3 { come(name) }
            }
        }
        queue.sync {
            come("a")
            come("b")
        }
        #expect(calls.isEmpty)
        queue.sync { blockedCalls.retryAll() }
        #expect(calls == ["a", "b"])
        queue.sync { blockedCalls.retryAll() }
        #expect(calls == ["a", "b", "a", "b"])
        queue.sync { blockedCalls.retryAll() }
        #expect(calls == ["a", "b", "a", "b"])
    }

    @Test func otherErrorsDoNotWait() {
        let blockedCalls = BlockedCalls(queue: queue) { true }
        #expect(
            queue.sync { !blockedCalls.wait(after: StoreError(.full, "no room"), since: .now()) {} })
    }

    @Test func lockOfAnotherProgramIsRetried() async {
        await withCheckedContinuation { continuation in
            queue.async {
                let blockedCalls = BlockedCalls(queue: queue) { false }
                _ = blockedCalls.wait(after: Self.locked, since: .now()) { continuation.resume() }
            }
        }
    }
}
