internal import CivilTime

/// The times at which an account is synchronized. It decides, and does nothing itself.
struct AccountSchedule {
    /// The reason for a pass.
    enum Trigger {
        /// The interval has passed.
        case timer
        /// Items with changes wait.
        case localChange
        /// The network has changed.
        case network
        /// The user asks for it, or the account was changed.
        case user
    }

    static let shortestPause = 30.0
    static let longestPause = 3_600.0
    /// The share of the interval by which it varies, so that many machines do not ask at the same time.
    static let jitter = 0.1

    var interval: TimeSpan
    /// The time of the next pass, or `nil` if only an event starts it.
    private(set) var next: Timestamp?
    /// The reason why the last pass failed, or `nil` if it did not.
    private(set) var failure: PassFailure?
    private var failureCount = 0
    /// The time before which only the user starts a pass.
    private var blockedUntil: Timestamp?
    /// Returns a number from 0 to 1.
    private let random: () -> Double

    /// Creates a schedule whose first pass is due at once.
    init(interval: TimeSpan, now: Timestamp, random: @escaping () -> Double = { .random(in: 0...1) }) {
        self.interval = interval
        self.random = random
        next = now
    }

    /// Whether the last pass could not reach the server.
    var isOffline: Bool { failure?.kind == .offline }

    /// Whether a pass may start now.
    func allows(_ trigger: Trigger, at now: Timestamp) -> Bool {
        switch trigger {
        case .user: true
        case .timer: next.map { $0 <= now } ?? false
        case .localChange: failure == nil && !isBlocked(at: now)
        case .network: isOffline && !isBlocked(at: now)
        }
    }

    private func isBlocked(at now: Timestamp) -> Bool { blockedUntil.map { now < $0 } ?? false }

    /// Records the end of a pass.
    ///
    /// - Parameters:
    ///   - failure: the reason why it failed, or `nil` if it did not.
    ///   - hasNetwork: whether the machine has a network. Without one, only an event starts the next pass.
    mutating func record(_ failure: PassFailure?, at now: Timestamp, hasNetwork: Bool) {
        self.failure = failure
        blockedUntil = nil
        guard let failure else {
            failureCount = 0
            next = now + varied(interval.seconds)
            return
        }
        failureCount += 1
        let pause = min(Self.shortestPause * Double(1 << min(failureCount - 1, 10)), Self.longestPause)
        switch failure.kind {
        case .removed: next = nil
        case .offline where !hasNetwork: next = nil
        case .unauthorized:
            blockedUntil = now + Self.longestPause
            next = now + varied(Self.longestPause, isShorter: false)
        case .offline, .noDaemon, .temporary:
            if let seconds = failure.retryAfterSeconds {
                let wait = max(Double(seconds), pause)
                blockedUntil = now + Double(seconds)
                next = now + varied(wait, isShorter: false)
            } else {
                next = now + varied(pause)
            }
        }
    }

    /// Returns a time span that differs by up to the jitter.
    private func varied(_ seconds: Double, isShorter: Bool = true) -> Double {
        let share = isShorter ? 2 * random() - 1 : random()
        return seconds * (1 + Self.jitter * share)
    }
}
