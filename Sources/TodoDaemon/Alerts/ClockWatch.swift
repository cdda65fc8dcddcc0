internal import CLinux
internal import Dispatch
internal import Glibc
internal import Varlink

/// Tells when the clock on the wall was set, by a person, the network or the end of a suspend.
///
/// A timer waits for a moment, so one that was set for the next minute would wait for hours when the clock is set back.
final class ClockWatch {
    private let source: any DispatchSourceRead
    let descriptor: Int32

    /// `wasSet` is called on `queue`.
    init(queue: DispatchQueue, wasSet: @escaping @Sendable () -> Void) throws(SystemError) {
        let descriptor = todod_clock_watch()
        guard descriptor >= 0, todod_clock_watch_arm(descriptor) == 0 else {
            throw SystemError("watch the clock")
        }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.setEventHandler { @Sendable in
            // A read says ECANCELED when the clock was set; the descriptor has to be armed again after that.
            var expirations: UInt64 = 0
            _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
            _ = todod_clock_watch_arm(descriptor)
            wasSet()
        }
        source.resume()
    }

    deinit {
        source.cancel()
    }
}
