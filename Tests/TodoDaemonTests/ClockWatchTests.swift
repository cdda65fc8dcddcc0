import Dispatch
import Foundation
import TestBus
import TestProcesses
import Testing

@testable import TodoDaemon

@Suite(.enabled(if: ClockWatchDescriptor.canWakeChildren, "this user may not copy descriptors"))
struct ClockWatchTests {
    /// T2: Setting the clock is reported each time. No test sets the clock of the machine to show that.
    @Test func eachSettingOfTheClockIsReported() throws {
        let settings = Mailbox<Void>()
        let queue = DispatchQueue(label: "test")
        let watch = try ClockWatch(queue: queue) { settings.put(()) }
        let descriptor = ClockWatchDescriptor(watch.descriptor, of: getpid())
        for _ in 1...3 {
            #expect(queue.sync { descriptor.isArmed })
            try descriptor.wake()
            try settings.next()
        }
        #expect(queue.sync { descriptor.isArmed })
        withExtendedLifetime(watch) {}
    }
}
