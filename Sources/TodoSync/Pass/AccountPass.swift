internal import CalDAV
package import CivilTime
internal import Systemd
package import TodoAPI

/// One synchronization of the lists of an account: the changes of the server, then the changes of the store, until both
/// agree.
///
/// It blocks, and belongs to one queue. It may be ended at any time: todod stores each answer of the server in one
/// transaction, and a change that was sent twice is recognized.
package final class AccountPass {
    /// The largest number of rounds in which the list is read and changes are sent.
    package static let roundsLimit = 5

    let account: SyncAccountSummary
    let todod: any TodoCalls
    let server: any TaskServer
    let memory: AccountMemory
    let log: SyncLog
    let now: () -> Timestamp
    private let report: (PassProgress) -> Void
    private var result = PassResult()
    /// The UIDs of the items whose texts the server has stored since the changes of the lists are sent.
    var storedUIDs: Set<String> = []

    /// Prepares a pass.
    ///
    /// - Parameter report: called when changes of a list were received or sent.
    package init(
        of account: SyncAccountSummary, todod: any TodoCalls, server: any TaskServer, memory: AccountMemory,
        log: SyncLog, now: @escaping () -> Timestamp = { .now },
        report: @escaping (PassProgress) -> Void = { _ in }
    ) {
        self.account = account
        self.todod = todod
        self.server = server
        self.memory = memory
        self.log = log
        self.now = now
        self.report = report
    }

    /// Runs the pass.
    ///
    /// - Parameters:
    ///   - sendsFirst: whether only the lists with local changes take part, and their changes are sent before
    ///     anything is read. The server checks that it still has the version that was changed.
    ///   - retriesRefused: whether changes that the server has refused are sent again at once.
    package func run(sendsFirst: Bool = false, retriesRefused: Bool = false) -> PassResult {
        let all = account.lists.compactMap(work)
        for list in all { list.retriesRefused = retriesRefused }
        var lists = sendsFirst ? all.filter { $0.unsent > 0 } : all
        var failure: PassFailure?
        do {
            try run(&lists, of: all, sendsFirst: sendsFirst)
        } catch {
            failure = error
        }
        for list in all where list.isAheadOfToken {
            memory.lists[list.id, default: ListMemory()].mustCompare = true
        }
        if let failure, failure.isStored {
            for list in lists where !list.hasFailed { list.add(problem: failure.description) }
        }
        // Without a server, the state of the lists is unknown, and their stored problems stay.
        if failure == nil || failure?.isStored == true {
            for list in lists { storeProblem(of: list) }
        }
        for list in lists {
            result.received += list.received
            result.sent += list.sent
            if failure?.isStored != true {
                result.problems += list.problems.map { "\(list.name): \($0)" }
            }
        }
        if let failure {
            result.problems.insert(failure.description, at: 0)
        } else if !lists.isEmpty, lists.allSatisfy(\.hasFailed) {
            failure = PassFailure(.temporary, result.problems.first ?? "no list could be read")
        }
        result.failure = failure
        return result
    }

    private func work(_ summary: SyncListSummary) -> ListWork? {
        let work = ListWork(summary)
        if work == nil {
            result.problems.append(
                "\(summary.name): '\(summary.url)' is not a URL; remove the list and add it again")
        } else if summary.category == nil {
            work?.hasFailed = true
            work?.add(problem: "its category was deleted; remove the list, or add it again")
        }
        return work
    }

    /// Runs the pass for some lists of the account, and adds the others if an item may have moved there.
    private func run(_ lists: inout [ListWork], of all: [ListWork], sendsFirst: Bool) throws(PassFailure) {
        if sendsFirst, lists.allSatisfy({ memory.lists[$0.id]?.isVerified == true }) {
            try send(lists)
            if lists.contains(where: \.hasGoneItem) { lists = all }
        }
        var present = lists
        for _ in 0..<Self.roundsLimit {
            try receive(&present, of: all)
            if present.count > lists.count { lists = all }
            try send(present.filter { !$0.hasFailed })
            present = present.filter { $0.needsRound && !$0.hasFailed }
            if present.isEmpty { return }
        }
        for list in present {
            list.add(
                problem:
                    "the list changed \(Self.roundsLimit) times in a row while it was synchronized; the next try follows"
            )
        }
    }

    // MARK: - Lists

    /// Runs `body` for a list. An error that concerns only the list ends its part in the pass.
    func perform(_ list: ListWork, _ body: () throws -> Void) throws(PassFailure) {
        guard !list.hasFailed else { return }
        do {
            try body()
        } catch let failure as PassFailure {
            throw failure
        } catch let error as CalDAVError {
            if let failure = PassFailure(ofAccount: error) { throw failure }
            list.hasFailed = true
            list.add(problem: "\(error)")
            memory.lists[list.id, default: ListMemory()].noteFailure(at: now())
            // Each pass would report the same problem.
            log.write(
                list.summary.problem == "\(error)" ? .debug : .warning,
                "The list \(list.name) could not be synchronized: \(error)", id: .syncFailed,
                account: account.name, list: list.name)
        } catch APIError.syncListNotFound {
            // The list was removed during the pass.
            list.hasFailed = true
        } catch APIError.storeFailure(let reason) {
            throw PassFailure(.temporary, "todod cannot store the changes: \(reason)")
        } catch let error as APIError {
            list.hasFailed = true
            list.add(problem: "todod did not accept the changes of the server (\(error.name))")
            log.write(
                .error, "todod did not accept changes of the list \(list.name): \(error)", id: .syncFailed,
                account: account.name, list: list.name)
        } catch let error as TodoUnreachable {
            throw PassFailure(.noDaemon, "\(error)")
        } catch {
            throw PassFailure(.temporary, "\(error)")
        }
    }

    /// Reports the progress of a list.
    func didProgress(_ list: ListWork) {
        report(
            PassProgress(account: account.name, list: list.name, received: list.received, sent: list.sent))
    }

    /// Passes the server's changes of a list to todod, and returns its reply.
    @discardableResult
    func take(
        _ list: ListWork, _ changes: (inout TakeSyncChanges.Parameters) -> Void
    ) throws -> TakeSyncChanges.Reply {
        var parameters = TakeSyncChanges.Parameters()
        parameters.list = list.id
        changes(&parameters)
        let reply = try todod.call(TakeSyncChanges.self, parameters)
        list.received += parameters.changed.count - Int(reply.unchanged) + Int(reply.deleted)
        list.unsent = reply.unsent
        if let reason = reply.heldDeletions, !list.holdsDeletions {
            list.holdsDeletions = true
            log.write(
                .warning,
                "Deletions in the list \(list.name) are held back: \(reason); see:  todoctl sync status",
                account: account.name, list: list.name)
        }
        didProgress(list)
        return reply
    }

    /// Changes the stored state of a list.
    func update(_ list: ListWork, _ change: (inout UpdateSyncList.Parameters) -> Void) throws {
        var parameters = UpdateSyncList.Parameters()
        parameters.list = list.id
        change(&parameters)
        _ = try todod.call(UpdateSyncList.self, parameters)
    }

    /// Stores the problem of a list, or removes the stored one.
    private func storeProblem(of list: ListWork) {
        let problem = list.problem
        guard problem != list.summary.problem else { return }
        do {
            try update(list) { $0.problem = problem ?? "" }
        } catch {
            log.write(
                .debug, "The state of \(list.name) could not be stored: \(error)", account: account.name,
                list: list.name)
        }
    }
}
