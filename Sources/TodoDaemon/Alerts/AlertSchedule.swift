/// When the next look is due.
package enum AlertSchedule: Sendable {
    /// At the full minutes of the clock on the wall.
    case minutes
    /// So many seconds after the last one; for tests.
    case seconds(Int)

    /// In seconds since 1970: the first tick after `now`.
    func next(after now: Int) -> Int {
        switch self {
        case .minutes: (now / 60 + 1) * 60
        case .seconds(let count): now + count
        }
    }
}
