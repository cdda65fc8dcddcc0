import CivilTime
import Phrases
import Synchronization
import Testing

@testable import TodoService

@Suite struct TypedTimesTests {
    /// A clock on which a second passes whenever it is read.
    private final class RunningClock: Sendable {
        private let seconds: Mutex<Double>

        init(at moment: Timestamp) { seconds = Mutex(moment.secondsSince1970) }

        func read() -> Timestamp {
            seconds.withLock { seconds in
                defer { seconds += 1 }
                return Timestamp(secondsSince1970: seconds)
            }
        }
    }

    @Test func nowIsAcceptedIfTheMinuteEndsMeanwhile() throws {
        let last = try #require(RFC3339.moment("2026-11-23T08:49:59Z"))
        let clock = RunningClock(at: last)
        let times = TypedTimes(now: { clock.read() }, zone: LocalZone(.utc), defaultTime: 0)
        let reading = try times.futureReading("now", field: "due", timeZone: nil, mayBePast: false)
        #expect(reading.moment == last)
    }
}
