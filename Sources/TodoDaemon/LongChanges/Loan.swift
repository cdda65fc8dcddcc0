internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Reminders

/// The store in the hands of a change that takes long: with a context of its own, in which whatever is saved has its alert
/// points and what it takes to undo it, as everywhere.
struct Loan: Sendable {
    private let store: LentStore
    private let configuration: Configuration
    private let makeWorkspace: @Sendable (ManagedObjectContext) -> Workspace
    private let now: @Sendable () -> Timestamp

    /// Takes the store, on the queue that `workspace` belongs to; nil when it cannot be lent.
    init?(of workspace: Workspace, _ demand: Demand) throws {
        guard let store = try workspace.context.coordinator.lend() else { return nil }
        self.store = store
        configuration = workspace.configuration
        now = workspace.now
        makeWorkspace = workspace.copy(for: demand)
    }

    /// Carries out `body` with one COMMIT, after which `merge` gets what was saved, and the items of which alerts are to be
    /// taken back.
    func use<Result>(
        _ body: (Workspace) throws -> Result, merge: (SavedChanges, [Int64]) throws -> Void
    ) throws -> Result {
        let coordinator = try store.open()
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        let points = AlertPoints(
            context: context, planner: AlertPlanner(settings: configuration.alerts), now: now)
        let workspace = makeWorkspace(context)
        var saved = SavedChanges()
        let observation = coordinator.observeSaves { saved.append($0) }
        var withdrawn: [Int64] = []
        workspace.withdrawAlerts = { withdrawn += $0 }
        let result = try withExtendedLifetime((points, observation)) {
            try workspace.asWhole { try body(workspace) }
        }
        try merge(saved, withdrawn)
        return result
    }

    /// Has the daemon's queue see what was saved.
    func merge(_ saved: SavedChanges, _ withdrawn: [Int64], in workspace: Workspace) throws {
        try workspace.context.coordinator.merge(saved, into: [workspace.context])
        workspace.withdrawAlerts(withdrawn)
    }

    /// Gives the store back.
    func end(in workspace: Workspace) {
        workspace.context.coordinator.takeBack()
    }
}
