internal import CLinux
package import Dispatch
internal import Glibc

/// Detects that the wall clock was set, by the user, by the network or at the end of a suspend.
///
/// A timer waits for a time. If the clock is set back, a timer for the next minute would wait for hours.
package final class ClockWatch {
    private let source: any DispatchSourceRead
    let descriptor: Int32

    /// Begins to watch the clock.
    ///
    /// - Parameter clockDidChange: called on `queue` each time the clock was set.
    package init(queue: DispatchQueue, clockDidChange: @escaping @Sendable () -> Void) throws(SystemError) {
        let descriptor = todod_clock_watch()
        guard descriptor >= 0 else { throw SystemError("watch the clock") }
        guard todod_clock_watch_arm(descriptor) == 0 else {
            let error = SystemError("watch the clock")
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.setEventHandler { @Sendable in
            // The read fails with ECANCELED when the clock was set. The descriptor must be armed again after that.
            var expirations: UInt64 = 0
            _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
            _ = todod_clock_watch_arm(descriptor)
            clockDidChange()
        }
        source.resume()
    }

    deinit {
        source.cancel()
    }
}
