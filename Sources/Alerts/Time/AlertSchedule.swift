internal import CivilTime

/// The times of the scheduled checks.
package enum AlertSchedule: Sendable {
    /// At the full minutes of the wall clock.
    case minutes
    /// A number of seconds after the last check, for tests.
    case seconds(Int)

    /// Returns the time of the first check after `now`.
    func next(after now: Timestamp) -> Timestamp {
        let seconds = now.wholeSeconds
        return switch self {
        case .minutes: Timestamp(secondsSince1970: Double((seconds / 60 + 1) * 60))
        case .seconds(let count): Timestamp(secondsSince1970: Double(seconds + count))
        }
    }
}
