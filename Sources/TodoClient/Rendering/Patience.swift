internal import Glibc

/// Says to somebody at a terminal, once, that the daemon is long in answering: it may do much, or be stopped.
final class Patience {
    private static let seconds = 3

    private let begin = ContinuousClock.now
    private var isAtEnd = false

    /// Nil where nobody watches.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Call it again and again while there is no answer.
    func look() {
        guard !isAtEnd, begin.duration(to: .now) >= .seconds(Self.seconds) else { return }
        isAtEnd = true
        Output.printError(
            """
            No answer for \(Self.seconds) s; still waiting, Ctrl-C ends that. See how the daemon does:
              systemctl --user status todod.service
            """)
    }
}
