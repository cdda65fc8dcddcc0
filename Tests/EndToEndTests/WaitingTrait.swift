import Foundation
import Testing

/// Runs each test of a suite on a thread that does not belong to the testing library.
///
/// The library has as many threads as there are processors. A test that waits for the clock or for other programs
/// would block one of them.
struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == WaitingTrait {
    /// Runs tests that wait most of the time on separate threads.
    static var waiting: Self { Self() }
}

/// The threads for tests that wait.
private final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads()

    private let threads = OperationQueue()

    init() { threads.maxConcurrentOperationCount = 6 }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
