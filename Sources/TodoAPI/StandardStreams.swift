internal import Glibc

/// The standard streams of a program.
package enum StandardStreams {
    /// Has a stream that the caller has closed stand open, for nothing: else the next thing to be opened, such as a socket
    /// or a file, would get what is printed. Call it before anything is opened.
    package static func keepApart() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
