internal import CivilTime
internal import ObjectStore
internal import TodoAPI
internal import VarlinkServer

/// One change that takes long, on the queue where it is made.
struct LongChange<M: Method>: Sendable {
    /// What the daemon's queue works with.
    private let home: QueueConfined<Workspace>
    private let call: QueueConfined<WeakCall<M>>
    private let demand: Demand
    private let wantsMore: Bool
    private let zone: TimeZoneRules

    init(_ call: LongCall<M>, in workspace: Workspace) {
        home = QueueConfined(workspace, to: workspace.queue)
        self.call = QueueConfined(WeakCall(call: call), to: workspace.queue)
        demand = call.demand
        wantsMore = call.answer.wantsMore
        zone = workspace.zone
    }

    /// Saves what `body` changes in the workspace that it is given, or nothing of it.
    ///
    /// It waits until the store is free. A store that cannot be lent is changed on the daemon's queue.
    func change<Result>(_ body: (Workspace) throws -> Result) throws -> Result {
        try demand.check()
        guard let loan = try home.sync({ try Loan(of: $0, demand) }) else {
            return try home.sync { workspace in
                try workspace.asWhole {
                    let result = try body(workspace)
                    workspace.itemsDidChange()
                    return result
                }
            }
        }
        defer { home.sync { loan.end(in: $0) } }
        return try loan.use(body) { changes, withdrawn in
            try home.sync { try loan.merge(changes, withdrawn, in: $0) }
        }
    }

    /// Tells a client that takes several replies how far the work has come.
    func tell(_ progress: M.Reply) {
        guard wantsMore else { return }
        let message = Answer<M>.message(progress, continues: true, zone: zone)
        call.async { $0.call?.send(.reply(message)) }
    }

    func end(_ result: Result<M.Reply, any Error>) {
        switch result {
        case .success(let reply):
            let message = Answer<M>.message(reply, zone: zone)
            call.async { $0.call?.send(.last(message)) }
        case .failure(let error):
            call.async { call in
                guard let call = call.call else { return }
                call.send(.last(call.answer.message(for: error)))
            }
        }
    }
}

/// The call of a change that must not keep it alive.
struct WeakCall<M: Method> {
    weak var call: LongCall<M>?
}
