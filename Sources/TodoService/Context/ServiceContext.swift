internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore

/// The objects that handlers share.
struct ServiceContext {
    /// The values that the contexts of all queues share.
    struct SharedValues: Sendable {
        /// The queue of the service.
        let queue: DispatchQueue
        let store: StoreConfiguration
        let now: @Sendable () -> Timestamp
        let zone: LocalZone
        /// The second of the day that is used for a date without a time.
        var defaultTime: Int
        let log: Log
    }

    private let original: SharedValues
    let store: ItemStore
    let changes: ChangeRecorder
    let times: TypedTimes
    let events: ServiceEvents

    /// Creates the objects for one context of the store.
    ///
    /// - Parameter cancellation: cancels the changes when their caller disconnects.
    init(
        _ values: SharedValues, context: ManagedObjectContext, events: ServiceEvents,
        cancellation: Cancellation = Cancellation()
    ) {
        original = values
        store = ItemStore(context: context, configuration: values.store)
        changes = ChangeRecorder(
            context: context, store: values.store, events: events, cancellation: cancellation,
            now: values.now,
            log: values.log)
        times = TypedTimes(now: values.now, zone: values.zone, defaultTime: values.defaultTime)
        self.events = events
    }

    /// The queue of the service. A background writer uses its objects on another queue.
    var queue: DispatchQueue { original.queue }

    /// The current values, for the context of a background writer.
    var sharedValues: SharedValues {
        var values = original
        values.defaultTime = times.defaultTime
        return values
    }
}
