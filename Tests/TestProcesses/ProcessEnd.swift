internal import CLinux
internal import Glibc

/// Waits for the end of a process that need not be a child.
package final class ProcessEnd {
    package struct NoSuchProcess: Error {
        let number: Int32
    }

    private let descriptor: Int32

    package init(of process: Int32) throws(NoSuchProcess) {
        descriptor = todod_process_descriptor(process)
        guard descriptor >= 0 else { throw NoSuchProcess(number: process) }
    }

    deinit { close(descriptor) }

    /// Whether the process ends within that time.
    package func wait(seconds: Int32) -> Bool {
        wait(milliseconds: seconds * 1_000)
    }

    /// Whether the process ends within that time.
    package func wait(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) == 1
    }
}
