internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore

/// The objects that handlers share.
struct ServiceContext {
    /// The values from which the objects for several queues are made.
    struct Basis: Sendable {
        /// The queue of the service.
        let queue: DispatchQueue
        let store: StoreConfiguration
        let now: @Sendable () -> Timestamp
        let zone: LocalZone
        /// The second of the day that is used for a date without a time.
        var defaultTime: Int
        let log: Log
    }

    private let original: Basis
    let store: ItemStore
    let changes: ChangeRecorder
    let times: TypedTimes
    let events: ServiceEvents

    /// Creates the objects for one context of the store.
    ///
    /// - Parameter callerPresence: ends when the caller that waits for the changes disconnects.
    init(
        _ basis: Basis, context: ManagedObjectContext, events: ServiceEvents,
        callerPresence: CallerPresence = CallerPresence()
    ) {
        original = basis
        store = ItemStore(context: context, configuration: basis.store)
        changes = ChangeRecorder(
            context: context, store: basis.store, events: events, callerPresence: callerPresence,
            now: basis.now,
            log: basis.log)
        times = TypedTimes(now: basis.now, zone: basis.zone, defaultTime: basis.defaultTime)
        self.events = events
    }

    /// The queue of the service. A background writer uses its objects on another queue.
    var queue: DispatchQueue { original.queue }

    /// The current values, from which the objects of a background writer are made.
    var basis: Basis {
        var basis = original
        basis.defaultTime = times.defaultTime
        return basis
    }
}
