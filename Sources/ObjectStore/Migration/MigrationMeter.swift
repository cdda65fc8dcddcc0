internal import Dispatch
internal import Platform

/// A progress meter for a migration. Its value never decreases and changes often enough to show activity.
final class MigrationMeter: Sendable {
    /// The divisor of the remaining progress. Each tick advances by the quotient.
    private static let ticksToGo = 64.0
    /// The longest time between two reports while `beating` runs.
    private static let interval = Duration.milliseconds(250)
    /// The time without any activity after which the migration counts as hung. `beating` then stops reporting
    /// progress.
    private static let timeout = Duration.seconds(600)

    private struct State {
        var activity = MigrationProgress.Activity.examining
        var fraction = 0.0
        /// The fraction at which the current operation ends.
        var limit = 0.0
        var lastReport = ContinuousClock.now
        var lastSign = ContinuousClock.now
    }

    private let report: @Sendable (MigrationProgress) -> Void
    private let state = Locked(State())

    init(_ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.report = report
    }

    /// Reports the progress of an activity.
    ///
    /// - Parameters:
    ///   - part: the part of this activity that is done, from 0 to 1.
    ///   - end: the part that will be done after the next operation.
    func notify(_ activity: MigrationProgress.Activity, _ part: Double, upTo end: Double = 1) {
        state.withLock { state in
            state.activity = activity
            state.fraction = max(state.fraction, Self.fraction(activity, part))
            state.limit = max(state.fraction, Self.fraction(activity, end))
            state.lastSign = .now
            notify(&state)
        }
    }

    /// Reports activity of unknown extent. Each call makes the remaining progress a little smaller.
    func tick() {
        state.withLock { state in
            state.lastSign = .now
            advance(&state)
        }
    }

    /// Runs `body` and reports progress whenever `body` makes no report for a while. A COMMIT or the sync of a
    /// file is a single call, and its duration depends on the disk.
    func beating<Result>(_ body: () throws -> Result) rethrows -> Result {
        let queue = DispatchQueue(label: "ObjectStore.migration")
        let end = DispatchSemaphore(value: 0)
        queue.async { [self] in
            while end.wait(timeout: .now() + .milliseconds(50)) == .timedOut { beat() }
        }
        defer {
            end.signal()
            // No report is made after this method returns.
            queue.sync {}
        }
        return try body()
    }

    private func beat() {
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.lastReport >= Self.interval, now - state.lastSign < Self.timeout else {
                return
            }
            advance(&state)
        }
    }

    private func advance(_ state: inout State) {
        state.fraction += (state.limit - state.fraction) / Self.ticksToGo
        notify(&state)
    }

    private func notify(_ state: inout State) {
        state.lastReport = .now
        report(MigrationProgress(activity: state.activity, fraction: state.fraction))
    }

    private static func fraction(_ activity: MigrationProgress.Activity, _ part: Double) -> Double {
        let share: ClosedRange<Double> =
            switch activity {
            case .examining: 0...0.05
            case .backingUp: 0.05...0.2
            case .changing, .copying: 0.2...0.8
            case .checking: 0.8...0.95
            case .committing: 0.95...0.98
            case .cleaningUp: 0.98...1
            }
        return share.lowerBound + (share.upperBound - share.lowerBound) * min(max(part, 0), 1)
    }
}
