internal import CivilTime

/// When the next check is scheduled.
package enum AlertSchedule: Sendable {
    /// At the full minutes of the clock on the wall.
    case minutes
    /// So many seconds after the last one; for tests.
    case seconds(Int)

    /// The first check after `now`.
    func next(after now: Timestamp) -> Timestamp {
        let seconds = now.wholeSeconds
        return switch self {
        case .minutes: Timestamp(secondsSince1970: Double((seconds / 60 + 1) * 60))
        case .seconds(let count): Timestamp(secondsSince1970: Double(seconds + count))
        }
    }
}
