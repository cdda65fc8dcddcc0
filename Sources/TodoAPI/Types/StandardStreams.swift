internal import Glibc

/// The standard streams of a program.
package enum StandardStreams {
    /// Opens /dev/null for each standard stream that the caller has closed. Otherwise the next opened socket
    /// or file would get its descriptor and receive the output. Call this before opening anything.
    package static func keepApart() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
