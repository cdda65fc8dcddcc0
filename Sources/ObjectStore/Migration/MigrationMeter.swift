/// Tells how far a migration is, in one number that never goes back.
final class MigrationMeter {
    /// The part of what is left of an activity that one tick takes away.
    private static let ticksToGo = 64.0

    private let report: @Sendable (MigrationProgress) -> Void
    private var activity = MigrationProgress.Activity.examining
    private var fraction = 0.0
    /// Where what is being done now ends.
    private var limit = 0.0

    init(_ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.report = report
    }

    /// - Parameters:
    ///   - part: how much of this activity is done, from 0 to 1.
    ///   - end: how much will be done after what is done next, where ticks tell of that.
    func tell(_ activity: MigrationProgress.Activity, _ part: Double, upTo end: Double? = nil) {
        self.activity = activity
        fraction = max(fraction, Self.fraction(activity, part))
        limit = max(fraction, end.map { Self.fraction(activity, $0) } ?? fraction)
        report(MigrationProgress(activity: activity, fraction: fraction))
    }

    /// Something is going on, and nobody knows how far it is: each time the rest becomes a little smaller.
    func tick() {
        fraction += (limit - fraction) / Self.ticksToGo
        report(MigrationProgress(activity: activity, fraction: fraction))
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
