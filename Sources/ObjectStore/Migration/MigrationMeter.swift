/// Tells how far a migration is, in one number that never goes back.
final class MigrationMeter {
    private let report: @Sendable (MigrationProgress) -> Void
    private var fraction = 0.0

    init(_ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.report = report
    }

    /// - Parameter part: how much of this activity is done, from 0 to 1.
    func tell(_ activity: MigrationProgress.Activity, _ part: Double) {
        let share: ClosedRange<Double> =
            switch activity {
            case .backingUp: 0...0.2
            case .changing, .copying: 0.2...0.8
            case .checking: 0.8...0.95
            case .committing: 0.95...0.98
            case .cleaningUp: 0.98...1
            }
        let whole = share.lowerBound + (share.upperBound - share.lowerBound) * min(max(part, 0), 1)
        fraction = max(fraction, whole)
        report(MigrationProgress(activity: activity, fraction: fraction))
    }
}
