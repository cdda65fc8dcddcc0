internal import ConfigurationFiles
internal import Dispatch
internal import Systemd
internal import TodoAPI

/// All accounts of the store, with a worker for each.
///
/// `@unchecked Sendable`: all members are used on the queue of the context.
final class AccountSet: @unchecked Sendable {
    /// The time after the last local change at which changes are sent.
    private static let quietMilliseconds = 500
    /// The longest time for which more changes delay that.
    private static let longestMilliseconds = 1_500

    private let context: SyncContext
    /// The queue for reading the accounts, which blocks.
    private let reading = DispatchQueue(label: "todod-sync.todod")
    private let timer: any DispatchSourceTimer
    private var workers: [String: AccountWorker] = [:]
    private var settings: SyncSettings
    /// The time of the first local change that was not sent, or `nil` if there is none.
    private var firstChange: DispatchTime?
    private var statusLine = ""

    init(_ context: SyncContext, _ settings: SyncSettings) {
        self.context = context
        self.settings = settings
        timer = DispatchSource.makeTimerSource(queue: context.queue)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.readAccounts() }
        timer.resume()
    }

    // MARK: - Events

    /// Reads the accounts soon, because items or accounts may have changed.
    func itemsDidChange() {
        let now = DispatchTime.now()
        let first = firstChange ?? now
        firstChange = first
        timer.schedule(
            deadline: min(
                now + .milliseconds(Self.quietMilliseconds), first + .milliseconds(Self.longestMilliseconds)))
    }

    func networkDidChange() {
        for worker in workers.values { worker.networkDidChange() }
    }

    /// Uses other settings from now on.
    func apply(_ settings: SyncSettings) {
        self.settings = settings
        for worker in workers.values { worker.apply(settings) }
    }

    private func readAccounts() {
        firstChange = nil
        refresh { _ in }
    }

    // MARK: - Accounts

    /// Reads the accounts of the store, starts new ones, and sends local changes.
    ///
    /// - Parameter end: called on the queue of the context.
    func refresh(_ end: @escaping @Sendable (Result<[SyncAccountSummary], any Error>) -> Void) {
        reading.async { [self] in
            let result = Result { try context.todod().call(ListSyncAccounts.self, Empty()).accounts }
            context.queue.async { [self] in
                if case .success(let accounts) = result {
                    update(accounts)
                    for account in accounts { workers[account.name]?.update(account) }
                }
                end(result)
            }
        }
    }

    func has(_ name: String) -> Bool { workers[name] != nil }

    /// Starts the pass of an account whose password or lists were changed.
    func startAgain(_ name: String) { workers[name]?.startAgain() }

    /// Starts the workers of new accounts, and stops those of removed ones.
    private func update(_ accounts: [SyncAccountSummary]) {
        for account in accounts where workers[account.name] == nil {
            let worker = AccountWorker(of: account, context, settings) { [weak self] in
                self?.refresh { _ in }
            }
            workers[account.name] = worker
            worker.start()
        }
        let names = Set(accounts.map(\.name))
        for (name, worker) in workers where !names.contains(name) {
            worker.stop()
            workers[name] = nil
        }
        showStatus()
    }

    private func showStatus() {
        let line =
            switch workers.count {
            case 0: "No accounts; add one with: todoctl sync add"
            case 1: "Synchronizing 1 account"
            default: "Synchronizing \(workers.count) accounts"
            }
        guard line != statusLine else { return }
        statusLine = line
        ServiceManager.notify(.status(line))
    }

    /// Returns the state of each account, in the order of their names.
    var states: [SyncAccountState] { workers.values.map(\.state).sorted { $0.name < $1.name } }

    /// Runs a pass of these accounts, and calls `end` with the results when all have ended.
    func synchronize(
        _ names: [String], report: @escaping (PassProgress) -> Void, end: @escaping ([PassResult]) -> Void
    ) {
        let chosen = names.compactMap { workers[$0] }
        var results: [PassResult] = []
        if chosen.isEmpty { return end([]) }
        for worker in chosen {
            worker.synchronize(
                AccountWorker.Waiter(report: report) { result in
                    results.append(result)
                    if results.count == chosen.count { end(results) }
                })
        }
    }
}
