internal import CivilTime
internal import ObjectStore
internal import Synchronization
internal import TodoAPI
internal import VarlinkServer

/// One change that takes long, on the queue where it is made.
final class LongChange<M: Method>: Sendable {
    /// What the daemon's queue works with. The change must not keep its call alive.
    private struct Home {
        let workspace: Workspace
        weak var call: LongCall<M>?
    }

    private let home: QueueConfined<Home>
    /// The store, from the change until its answer.
    private let loan = Mutex<Loan?>(nil)
    private let demand: Demand
    private let wantsMore: Bool
    private let zone: TimeZoneRules

    init(_ call: LongCall<M>, in workspace: Workspace) {
        home = QueueConfined(Home(workspace: workspace, call: call), to: workspace.queue)
        demand = call.demand
        wantsMore = call.answer.wantsMore
        zone = workspace.zone
    }

    /// Saves what `body` changes in the workspace that it is given, or nothing of it.
    ///
    /// It waits until the store is free, and keeps it until `end`. A store that cannot be lent is changed on the daemon's
    /// queue.
    func change<Result>(_ body: (Workspace) throws -> Result) throws -> Result {
        try demand.check()
        guard let loan = try home.sync({ try Loan(of: $0.workspace, demand) }) else {
            return try home.sync { home in
                try home.workspace.asWhole {
                    let result = try body(home.workspace)
                    home.workspace.itemsDidChange()
                    return result
                }
            }
        }
        self.loan.withLock { $0 = loan }
        return try loan.use(body) { changes, withdrawn in
            try home.sync { try loan.merge(changes, withdrawn, in: $0.workspace) }
        }
    }

    /// Tells a client that takes several replies how far the work has come.
    func tell(_ progress: M.Reply) {
        guard wantsMore else { return }
        let message = Answer<M>.message(progress, continues: true, zone: zone)
        home.async { $0.call?.send(.reply(message)) }
    }

    /// Gives the store back and answers the call.
    ///
    /// The answer is sent before the alerts are computed again, because a read that fails there can end the daemon.
    func end(_ result: Result<M.Reply, any Error>) {
        let message = result.map { Answer<M>.message($0, zone: zone) }
        let loan = loan.withLock { loan in
            defer { loan = nil }
            return loan
        }
        home.sync { home in
            loan?.end(in: home.workspace)
            if let call = home.call {
                switch message {
                case .success(let message): call.send(.last(message))
                case .failure(let error): call.send(.last(call.answer.message(for: error)))
                }
            }
            if loan != nil { home.workspace.whenStoreIsFree() }
        }
    }
}
