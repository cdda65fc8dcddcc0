internal import Glibc
internal import Varlink

/// Ends the wait for a daemon that does not answer at all, and says once on a terminal that an answer takes long.
///
/// An answer may take as long as the work for it, but a daemon that works answers other calls meanwhile. So a second
/// connection asks for its version from time to time, and the wait goes on while that is answered.
final class Patience {
    struct Limits {
        /// When a person is informed.
        var notice = Duration.seconds(3)
        /// How long after the last sign of life the daemon is asked for one.
        var question = Duration.seconds(5)
        /// How long after the last sign of life the wait ends.
        var silence = Duration.seconds(60)
    }

    /// The daemon gave no sign of life.
    struct Exhausted: Error {
        let seconds: Int64
    }

    private let limits: Limits
    private let address: UnixAddress
    private let begin = SuspendingClock.now
    private var lastSign = SuspendingClock.now
    private var question: ClientConnection?
    /// When the daemon was first asked for a sign of life after the last one.
    private var questionTime: SuspendingClock.Instant?
    private var hasNotice: Bool

    /// - Parameter hasNotice: whether a person is informed, if one is at the terminal.
    init(_ limits: Limits, at address: UnixAddress, hasNotice: Bool) {
        self.limits = limits
        self.address = address
        self.hasNotice = hasNotice && isatty(STDERR_FILENO) == 1
    }

    /// Call this again and again while there is no answer.
    ///
    /// Only a question without an answer ends the wait: the client itself may have waited, for a pager or while it was
    /// stopped with Ctrl-Z.
    func look() throws {
        let now = SuspendingClock.now
        if hasNotice, begin.duration(to: now) >= limits.notice { giveNotice() }
        if let question, question.hasInput(within: 0) {
            hearSign(at: now)
        } else if let questionTime {
            if questionTime.duration(to: now) >= limits.silence - limits.question {
                throw Exhausted(seconds: limits.silence.components.seconds)
            }
            if question == nil { question = ask() }
        } else if lastSign.duration(to: now) >= limits.question {
            questionTime = now
            question = ask()
        }
    }

    /// The daemon has sent a reply.
    func didReceive() {
        hasNotice = false
        hearSign(at: .now)
    }

    private func hearSign(at now: SuspendingClock.Instant) {
        question = nil
        questionTime = nil
        lastSign = now
    }

    /// A connection with a call that a daemon answers at once, or `nil` if none listens any more.
    private func ask() -> ClientConnection? {
        guard let connection = try? ClientConnection(to: address) else { return nil }
        try? connection.send(MethodCall.bytes("\(ServiceInterface.name).GetInfo") { _ in })
        return connection
    }

    private func giveNotice() {
        hasNotice = false
        Output.printError(
            """
            No answer for \(limits.notice.components.seconds) s; still waiting, Ctrl-C ends that. See how the daemon does:
              systemctl --user status todod.service
            """)
    }
}
