internal import Glibc

/// What a command says that Ctrl-C, or a request to end, breaks off while a bar stands on the terminal.
enum Interruption {
    /// The signals by which a person, a session that ends and a script break off a program.
    private static let signals = [SIGINT, SIGHUP, SIGTERM]

    /// Has `handler` called when one of them comes; it calls `end`. Those that are ignored stay so, as with nohup.
    ///
    /// The handler runs in the middle of anything, so it may use nothing but constants.
    static func handle(with handler: @escaping @convention(c) (Int32) -> Void) {
        for number in signals {
            let before = signal(number, handler)
            if isIgnoring(before) { signal(number, SIG_IGN) }
        }
    }

    /// Wipes the bar, says what became of the work, and ends the program as the signal would have.
    static func end(by number: Int32, saying message: StaticString) {
        write(STDERR_FILENO, "\r\u{1B}[K")
        write(STDERR_FILENO, message)
        signal(number, SIG_DFL)
        // It is held back until the handler returns.
        raise(number)
    }

    private static func write(_ descriptor: Int32, _ text: StaticString) {
        _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
    }

    private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
