import Dispatch
import Foundation
import TestBus
import TestProcesses
import Testing

@testable import Platform

@Suite(.enabled(if: ClockWatchDescriptor.canWakeChildren, "this user may not copy descriptors"))
struct ClockWatchTests {
    /// T2: Each change of the clock is reported. The test does not set the clock of the machine.
    @Test func eachClockChangeIsReported() throws {
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
