internal import CalDAV
internal import CivilTime
internal import ConfigurationFiles
internal import Dispatch
internal import Platform
internal import Systemd
internal import TodoAPI

/// One account: it decides when a pass is due, and runs the passes on a queue of its own.
///
/// `@unchecked Sendable`: `runner` is used on the worker's queue, everything else on the queue of the context.
final class AccountWorker: @unchecked Sendable {
    let name: String
    private(set) var account: SyncAccountSummary
    private let context: SyncContext
    private let queue: DispatchQueue
    private let runner: PassRunner
    private let timer: any DispatchSourceTimer
    /// Called after a pass that found that the account was removed.
    private let wasRemoved: () -> Void

    private var settings: SyncSettings
    private var schedule: AccountSchedule
    private var isRunning = false
    private var isStopped = false
    /// The clients that wait for the present pass, and those that wait for the next one.
    private var waiters: [Waiter] = []
    private var nextWaiters: [Waiter] = []
    private var hasLocalChange = false
    /// Whether another pass follows the one that is running, because the password or the settings have changed since it began.
    private var mustRunAgain = false
    /// The first reason why a list or an item could not be synchronized in the last pass, or `nil` if there was none.
    private var problem: String?

    /// The end of the last pass without a failure, or `nil` if there was none.
    private var lastSync: Timestamp?

    /// A client that waits for the end of a pass.
    struct Waiter {
        let report: (PassProgress) -> Void
        let end: (PassResult) -> Void
        /// The numbers of the pass that was running when the client began to wait.
        fileprivate var received = 0
        fileprivate var sent = 0

        init(report: @escaping (PassProgress) -> Void, end: @escaping (PassResult) -> Void) {
            self.report = report
            self.end = end
        }

        /// Returns the waiter with the numbers of a pass before the one that it waits for.
        fileprivate func adding(_ result: PassResult) -> Waiter {
            var waiter = self
            waiter.received += result.received
            waiter.sent += result.sent
            return waiter
        }

        fileprivate func end(with result: PassResult) {
            var result = result
            result.received += received
            result.sent += sent
            end(result)
        }
    }

    init(
        of account: SyncAccountSummary, _ context: SyncContext, _ settings: SyncSettings,
        wasRemoved: @escaping () -> Void
    ) {
        self.account = account
        name = account.name
        self.context = context
        self.settings = settings
        self.wasRemoved = wasRemoved
        queue = DispatchQueue(label: "todod-sync.account")
        runner = PassRunner(of: account.name, context)
        schedule = AccountSchedule(interval: settings.interval, now: context.now())
        timer = DispatchSource.makeTimerSource(queue: context.queue)
        timer.schedule(wallDeadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.timerDidFire() }
        timer.resume()
    }

    deinit { timer.cancel() }

    // MARK: - Events

    /// Starts the first pass.
    func start() { startIfAllowed(.timer) }

    /// Ends the work of a removed account. A pass that is running ends by itself.
    func stop() {
        isStopped = true
        timer.schedule(wallDeadline: .distantFuture)
    }

    /// Updates the state of the account, and sends local changes if there are any.
    func update(_ account: SyncAccountSummary) {
        let hasNewPassword = account.passwordSource != self.account.passwordSource
        self.account = account
        if hasNewPassword { return startAgain() }
        guard account.lists.contains(where: { $0.unsent > 0 && $0.readOnly != true }) else { return }
        if isRunning {
            hasLocalChange = true
        } else if schedule.failure?.kind == .unauthorized {
            queue.async { [self, account] in
                if runner.passwordHasChanged(account) { context.queue.async { self.startAgain() } }
            }
        } else {
            startIfAllowed(.localChange)
        }
    }

    /// Uses other settings from now on.
    func apply(_ settings: SyncSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        schedule.interval = settings.interval
        runAgain()
    }

    /// Tries again if the last pass failed.
    func networkDidChange() { startIfAllowed(.network) }

    /// Starts a pass with the present password, whatever the schedule is.
    func startAgain() {
        queue.async { self.runner.forgetPassword() }
        runAgain()
    }

    private func runAgain() {
        if isRunning { mustRunAgain = true } else { startIfAllowed(.user) }
    }

    /// Runs a pass, and calls `waiter` at its end. A pass that is running already may have read the list before, so another
    /// one follows.
    func synchronize(_ waiter: Waiter) {
        if isRunning {
            nextWaiters.append(waiter)
        } else {
            waiters.append(waiter)
            startIfAllowed(.user)
        }
    }

    /// The present work.
    var state: SyncAccountState {
        var state = SyncAccountState()
        state.name = name
        state.problem = problem
        state.lastSync = lastSync
        state.nextSync = isRunning ? nil : schedule.next
        state.state =
            isRunning
            ? .syncing : problem == nil ? .idle : schedule.isOffline ? .offline : .failed
        return state
    }

    private func timerDidFire() { startIfAllowed(.timer) }

    // MARK: - Passes

    private func startIfAllowed(_ trigger: AccountSchedule.Trigger) {
        guard !isStopped, !isRunning else { return }
        guard schedule.allows(trigger, at: context.now()) else { return arm() }
        isRunning = true
        hasLocalChange = false
        mustRunAgain = false
        timer.schedule(wallDeadline: .distantFuture)
        let settings = settings
        // A server on this machine needs no network.
        let isLocal = DAVURL(account.url)?.isLoopback ?? false
        queue.async { [self] in
            let result = runner.run(
                sendsFirst: trigger == .localChange, retriesRefused: trigger == .user, settings
            ) { progress in
                self.context.queue.async { self.didProgress(progress) }
            }
            if result.received > 0 { FreedMemory.release(keptBytes: 1 << 20) }
            let hasNetwork = result.failure?.kind != .offline || isLocal || context.hasNetwork()
            context.queue.async { self.didEnd(result, hasNetwork: hasNetwork) }
        }
    }

    private func didProgress(_ progress: PassProgress) {
        for waiter in waiters + nextWaiters { waiter.report(progress) }
    }

    private func didEnd(_ result: PassResult, hasNetwork: Bool) {
        isRunning = false
        logEnd(result)
        problem = result.problems.first
        if result.failure == nil { lastSync = context.now() }
        schedule.record(result.failure, at: context.now(), hasNetwork: hasNetwork)
        endWaiters(result)
        waiters = nextWaiters.map { $0.adding(result) }
        nextWaiters = []
        if isStopped { return endWaiters(result) }
        if !waiters.isEmpty || mustRunAgain {
            startIfAllowed(.user)
        } else if hasLocalChange {
            startIfAllowed(.localChange)
        }
        if !isRunning { arm() }
        if result.failure?.kind == .removed { wasRemoved() }
    }

    private func endWaiters(_ result: PassResult) {
        for waiter in waiters { waiter.end(with: result) }
        waiters = []
    }

    private func arm() {
        guard let next = schedule.next, !isStopped else {
            return timer.schedule(wallDeadline: .distantFuture)
        }
        let seconds = max(0, next - context.now())
        // The system may let several timers fire together.
        timer.schedule(wallDeadline: .now() + seconds, leeway: .milliseconds(Int(seconds * 50)))
    }

    /// Logs a failure once, and its end.
    private func logEnd(_ result: PassResult) {
        let known = schedule.failure
        if let failure = result.failure {
            guard failure.description != known?.description, failure.kind != .removed else { return }
            context.log.write(
                failure.kind == .offline ? .info : .warning,
                "The account \(name) could not be synchronized: \(failure)", id: .syncFailed, account: name)
        } else if known != nil {
            context.log.write(.info, "The account \(name) is synchronized again", account: name)
        }
        if result.received + result.sent > 0 {
            context.log.write(
                .debug, "Received \(result.received) and sent \(result.sent) tasks of \(name)", account: name)
        }
    }
}
