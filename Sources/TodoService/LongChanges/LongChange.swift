internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Synchronization
internal import TodoAPI
internal import VarlinkServer

/// A background change, as it is used on the queue where it is made.
final class LongChange<M: Method>: Sendable {
    /// The objects that the daemon's queue uses. The change must not keep its call alive.
    private struct Home {
        let service: ServiceContext
        let points: AlertPoints
        weak var call: LongCall<M>?
    }

    private let home: QueueConfined<Home>
    /// The write lock, from the change until the reply.
    private let loan = Mutex<Loan?>(nil)
    private let demand: Demand
    private let wantsMore: Bool
    private let zone: TimeZoneRules

    init(_ call: LongCall<M>, in service: ServiceContext, _ points: AlertPoints) {
        home = QueueConfined(Home(service: service, points: points, call: call), to: service.queue)
        demand = call.demand
        wantsMore = call.answer.wantsMore
        zone = service.times.zone
    }

    /// Saves the changes that `body` makes, or none of them.
    ///
    /// It waits until the store is free, and keeps the write lock until `end`. A store without support for background
    /// writers is changed on the daemon's queue.
    func change<Result>(_ body: (ServiceContext) throws -> Result) throws -> Result {
        try demand.check()
        guard
            let loan = try home.sync({ try Loan(of: $0.service, planner: $0.points.planner, demand: demand) })
        else {
            return try home.sync { home in
                try home.service.changes.inTransaction {
                    let result = try body(home.service)
                    home.service.events.itemsDidChange()
                    return result
                }
            }
        }
        self.loan.withLock { $0 = loan }
        return try loan.use(body) { changes, withdrawn in
            try home.sync { try loan.merge(changes, withdrawn, in: $0.service) }
        }
    }

    /// Sends the progress to a client that accepts several replies.
    func tell(_ progress: M.Reply) {
        guard wantsMore else { return }
        let message = Answer<M>.message(progress, continues: true, zone: zone)
        home.async { $0.call?.send(.reply(message)) }
    }

    /// Releases the write lock and replies to the call.
    ///
    /// The reply is sent before the alert times are computed again, because a read that fails there can end the
    /// daemon.
    func end(_ result: Result<M.Reply, any Error>) {
        let message = result.map { Answer<M>.message($0, zone: zone) }
        let loan = loan.withLock { loan in
            defer { loan = nil }
            return loan
        }
        home.sync { home in
            loan?.end(in: home.service)
            if let call = home.call {
                switch message {
                case .success(let message): call.send(.last(message))
                case .failure(let error): call.send(.last(call.answer.message(for: error)))
                }
            }
            if loan != nil { home.service.events.storeDidBecomeFree() }
        }
    }
}
