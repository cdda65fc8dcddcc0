internal import Platform
internal import Varlink

/// A limit on the wait for a daemon that does not respond, with a notice on a terminal if a reply takes long.
///
/// A reply may take as long as its work, but a working daemon answers other calls at the same time. Therefore a second
/// connection asks for the daemon's version now and then. The wait continues while these calls are answered.
final class ReplyTimeout {
    struct Limits {
        /// The time until the notice is printed.
        var notice = Duration.seconds(3)
        /// The time since the last sign of life after which the daemon is asked for one.
        var question = Duration.seconds(5)
        /// The time since the last sign of life after which the wait ends.
        var silence = Duration.seconds(60)

        /// The limits for `todod-sync`, which may not answer while it waits for a server.
        static let forSync = Limits(silence: .seconds(600))
    }

    /// The error that the daemon has given no sign of life.
    struct Exhausted: Error {
        let seconds: Int64
    }

    private let limits: Limits
    private let address: UnixAddress
    private let now: () -> SuspendingClock.Instant
    private let begin: SuspendingClock.Instant
    private var lastSign: SuspendingClock.Instant
    private var question: ClientConnection?
    /// The time of the first request for a sign of life since the last one, or `nil`.
    private var questionTime: SuspendingClock.Instant?
    /// The notice to print on a terminal if the reply takes long, or `nil` if it was printed.
    private var notice: String?

    /// Starts the wait for a reply.
    ///
    /// - Parameter notice: the notice to print if standard error is a terminal, or `nil` for none.
    init(
        _ limits: Limits, at address: UnixAddress, notice: String?,
        now: @escaping () -> SuspendingClock.Instant = { .now }
    ) {
        self.limits = limits
        self.address = address
        self.now = now
        begin = now()
        lastSign = begin
        self.notice = StandardStream.error.isTerminal ? notice : nil
    }

    /// Checks for a sign of life.
    ///
    /// Call this repeatedly while there is no reply.
    ///
    /// Elapsed time alone does not end the wait, because the client may have been stopped with Ctrl-Z or have waited
    /// for a pager. Only an unanswered request ends it.
    ///
    /// - Throws: `Exhausted` if the daemon has not responded.
    func checkForSign() throws {
        let now = now()
        if let notice, begin.duration(to: now) >= limits.notice {
            self.notice = nil
            Output.printError(notice)
        }
        if let question, question.hasInput(within: 0) {
            recordSignOfLife(at: now)
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

    /// Records a reply of the daemon as a sign of life.
    func didReceive() {
        notice = nil
        recordSignOfLife(at: now())
    }

    private func recordSignOfLife(at now: SuspendingClock.Instant) {
        question = nil
        questionTime = nil
        lastSign = now
    }

    /// Opens a connection and sends a call that a daemon answers at once.
    ///
    /// Returns `nil` if no daemon listens any more.
    private func ask() -> ClientConnection? {
        guard let connection = try? ClientConnection(to: address) else { return nil }
        try? connection.send(MethodCall.bytes("\(ServiceInterface.name).GetInfo") { _ in })
        return connection
    }
}
