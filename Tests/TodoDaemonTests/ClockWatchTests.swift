import Dispatch
import TestBus
import TestSupport
import Testing

@testable import TodoDaemon

@Suite(.enabled(if: WallClock.canBeSet, "this user may not set the machine's clock"))
struct ClockWatchTests {
    @Test func itTellsEachTimeTheClockIsSet() throws {
        let settings = Mailbox<Void>()
        let watch = try ClockWatch(queue: DispatchQueue(label: "test")) { settings.put(()) }
        for _ in 1...3 {
            try WallClock.set()
            try settings.next()
        }
        withExtendedLifetime(watch) {}
    }
}
