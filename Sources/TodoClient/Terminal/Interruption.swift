internal import Glibc

/// The handling of signals that interrupt a command while it shows a progress bar or hides a password.
enum Interruption {
    /// The signals that Ctrl-C, a closed terminal and `kill` send.
    private static let signals = [SIGINT, SIGHUP, SIGTERM]

    /// Sets the handler of the signals that interrupt a program.
    ///
    /// Signals that are ignored, as with nohup, remain ignored.
    ///
    /// `handler` calls `end`. It can run at any instruction of the program, so it may use only constants.
    static func handle(with handler: @escaping @convention(c) (Int32) -> Void) {
        for number in signals {
            let before = signal(number, handler)
            if isIgnoring(before) { signal(number, SIG_IGN) }
        }
    }

    /// Restores the default handling: a signal ends the program at once.
    static func endHandling() {
        for number in signals {
            let before = signal(number, SIG_DFL)
            if isIgnoring(before) { signal(number, SIG_IGN) }
        }
    }

    /// Erases the bar, writes the message, and ends the program with the signal.
    static func end(by number: Int32, message: StaticString) {
        write(STDERR_FILENO, "\r\u{1B}[K")
        write(STDERR_FILENO, message)
        signal(number, SIG_DFL)
        // The signal is blocked until the handler returns.
        raise(number)
    }

    private static func write(_ descriptor: Int32, _ text: StaticString) {
        _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
    }

    private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
