internal import Dispatch
internal import ObjectStore
internal import Reminders

/// A background writer: it holds the store's write lock, and has its own context.
///
/// As in every other context, the alert times and the undo record of each change are saved with it.
struct BackgroundWrite: Sendable {
    private let store: BackgroundWriter
    private let sharedValues: ServiceContext.SharedValues
    private let planner: AlertPlanner
    private let cancellation: Cancellation

    /// Takes the write lock, on the queue of `service`. Returns `nil` if the store does not support it.
    ///
    /// - Parameters:
    ///   - planner: computes the alert times of the changed items.
    ///   - cancellation: cancels the changes when their caller disconnects.
    init?(of service: ServiceContext, planner: AlertPlanner, cancellation: Cancellation) throws {
        dispatchPrecondition(condition: .onQueue(service.queue))
        guard let store = try service.store.context.coordinator.beginBackgroundWrite() else { return nil }
        self.store = store
        sharedValues = service.sharedValues
        self.planner = planner
        self.cancellation = cancellation
    }

    /// Runs `body` with one COMMIT. After that, it passes the saved changes to `merge`, and the items with alerts to
    /// close.
    func use<Result>(
        _ body: (ServiceContext) throws -> Result, merge: (SavedChanges, [Int64]) throws -> Void
    ) throws -> Result {
        let coordinator = try store.open()
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        let alertTimes = AlertTimes(
            context: context, planner: planner, zone: sharedValues.zone, now: sharedValues.now)
        var closedAlerts: [Int64] = []
        let service = ServiceContext(
            sharedValues, context: context, events: ServiceEvents(closeAlerts: { closedAlerts += $0 }),
            cancellation: cancellation)
        var saved = SavedChanges()
        let observation = coordinator.observeSaves { saved.append($0) }
        let result = try withExtendedLifetime((alertTimes, observation)) {
            try service.changes.inTransaction { try body(service) }
        }
        try merge(saved, closedAlerts)
        return result
    }

    /// Merges the saved changes into the context of the service's queue.
    func merge(_ saved: SavedChanges, _ closedAlerts: [Int64], in service: ServiceContext) throws {
        let context = service.store.context
        try context.coordinator.merge(saved, into: [context])
        service.events.closeAlerts(of: closedAlerts)
    }

    /// Releases the write lock.
    func end(in service: ServiceContext) {
        service.store.context.coordinator.endBackgroundWrite()
    }
}
