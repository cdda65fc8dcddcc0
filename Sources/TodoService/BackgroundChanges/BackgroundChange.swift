internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Platform
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// A background change, as it is used on the queue where it is made.
final class BackgroundChange<M: Method>: Sendable {
    /// The objects of the service, used on its queue. The change must not keep its call alive.
    private struct ServiceObjects {
        let service: ServiceContext
        let alertTimes: AlertTimes
        weak var call: BackgroundCall<M>?
    }

    private let serviceObjects: QueueConfined<ServiceObjects>
    /// The write lock, from the change until the reply.
    private let backgroundWrite = Locked<BackgroundWrite?>(nil)
    private let cancellation: Cancellation
    private let wantsMore: Bool
    private let zone: TimeZoneRules

    init(_ call: BackgroundCall<M>, in service: ServiceContext, _ alertTimes: AlertTimes) {
        serviceObjects = QueueConfined(
            ServiceObjects(service: service, alertTimes: alertTimes, call: call), to: service.queue)
        cancellation = call.cancellation
        wantsMore = call.answer.wantsMore
        zone = service.times.zone
    }

    /// Saves the changes that `body` makes, or none of them.
    ///
    /// It waits until the store is free, and keeps the write lock until `end`. A store without support for background
    /// writers is changed on the daemon's queue.
    func change<Result>(_ body: (ServiceContext) throws -> Result) throws -> Result {
        try cancellation.check()
        guard
            let backgroundWrite = try serviceObjects.sync({
                try BackgroundWrite(
                    of: $0.service, planner: $0.alertTimes.planner, cancellation: cancellation)
            })
        else {
            return try serviceObjects.sync { objects in
                try objects.service.changes.inTransaction {
                    let result = try body(objects.service)
                    objects.service.events.itemsDidChange()
                    return result
                }
            }
        }
        self.backgroundWrite.withLock { $0 = backgroundWrite }
        return try backgroundWrite.use(body) { changes, closedAlerts in
            try serviceObjects.sync { try backgroundWrite.merge(changes, closedAlerts, in: $0.service) }
        }
    }

    /// Sends the progress to a client that accepts several replies.
    func send(_ progress: M.Reply) {
        guard wantsMore else { return }
        let message = Answer<M>.message(progress, continues: true, zone: zone)
        serviceObjects.async { $0.call?.send(.reply(message)) }
    }

    /// Releases the write lock and replies to the call.
    ///
    /// The reply is sent before the alert times are computed again, because a read that fails there can end the
    /// daemon.
    func end(_ result: Result<M.Reply, any Error>) {
        let message = result.map { Answer<M>.message($0, zone: zone) }
        let backgroundWrite = backgroundWrite.withLock { backgroundWrite in
            defer { backgroundWrite = nil }
            return backgroundWrite
        }
        serviceObjects.sync { objects in
            backgroundWrite?.end(in: objects.service)
            if let call = objects.call {
                switch message {
                case .success(let message): call.send(.last(message))
                case .failure(let error): call.send(.last(call.answer.message(for: error)))
                }
            }
            if backgroundWrite != nil { objects.service.events.storeDidBecomeFree() }
        }
    }
}
