internal import Dispatch
internal import Synchronization

/// Tells how far a migration is, in one number that never goes back, and often enough to be seen to move.
final class MigrationMeter: Sendable {
    /// The part of what is left of an activity that one tick takes away.
    private static let ticksToGo = 64.0
    /// How long nothing may be told while `beating` runs.
    private static let interval = Duration.milliseconds(250)
    /// What shows no sign of life for so long hangs, and is not said to go on.
    private static let patience = Duration.seconds(600)

    private struct State {
        var activity = MigrationProgress.Activity.examining
        var fraction = 0.0
        /// Where what is being done now ends.
        var limit = 0.0
        var lastReport = ContinuousClock.now
        var lastSign = ContinuousClock.now
    }

    private let report: @Sendable (MigrationProgress) -> Void
    private let state = Mutex(State())

    init(_ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.report = report
    }

    /// - Parameters:
    ///   - part: how much of this activity is done, from 0 to 1.
    ///   - end: how much will be done after what is done next.
    func tell(_ activity: MigrationProgress.Activity, _ part: Double, upTo end: Double = 1) {
        state.withLock { state in
            state.activity = activity
            state.fraction = max(state.fraction, Self.fraction(activity, part))
            state.limit = max(state.fraction, Self.fraction(activity, end))
            state.lastSign = .now
            tell(&state)
        }
    }

    /// Something is going on, and nobody knows how far it is: each time the rest becomes a little smaller.
    func tick() {
        state.withLock { state in
            state.lastSign = .now
            advance(&state)
        }
    }

    /// Runs `body` and ticks for it whenever it is silent: a COMMIT, or a file that is synced, is one call that
    /// takes as long as the disk wants.
    func beating<Result>(_ body: () throws -> Result) rethrows -> Result {
        let queue = DispatchQueue(label: "ObjectStore.migration")
        let end = DispatchSemaphore(value: 0)
        queue.async { [self] in
            while end.wait(timeout: .now() + .milliseconds(50)) == .timedOut { beat() }
        }
        defer {
            end.signal()
            // Nothing is told any more when this returns.
            queue.sync {}
        }
        return try body()
    }

    private func beat() {
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.lastReport >= Self.interval, now - state.lastSign < Self.patience else {
                return
            }
            advance(&state)
        }
    }

    private func advance(_ state: inout State) {
        state.fraction += (state.limit - state.fraction) / Self.ticksToGo
        tell(&state)
    }

    private func tell(_ state: inout State) {
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
