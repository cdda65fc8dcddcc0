internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Reminders

/// A background writer: it holds the store's write lock, and has its own context.
///
/// As in every other context, the alert times and the undo record of each change are saved with it.
struct Loan: Sendable {
    private let store: BackgroundWriter
    private let settings: ServiceSettings
    private let makeWorkspace: @Sendable (ManagedObjectContext) -> Workspace
    private let now: @Sendable () -> Timestamp

    /// Takes the write lock, on the queue of `workspace`. Returns `nil` if the store does not support it.
    init?(of workspace: Workspace, _ demand: Demand) throws {
        guard let store = try workspace.context.coordinator.beginBackgroundWrite() else { return nil }
        self.store = store
        settings = workspace.settings
        now = workspace.now
        makeWorkspace = workspace.copy(for: demand)
    }

    /// Runs `body` with one COMMIT. After that, it passes the saved changes to `merge`, and the items with alerts to
    /// close.
    func use<Result>(
        _ body: (Workspace) throws -> Result, merge: (SavedChanges, [Int64]) throws -> Void
    ) throws -> Result {
        let coordinator = try store.open()
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        let points = AlertPoints(
            context: context, planner: AlertPlanner(settings: settings.alerts), now: now)
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

    /// Merges the saved changes into the context of the daemon's queue.
    func merge(_ saved: SavedChanges, _ withdrawn: [Int64], in workspace: Workspace) throws {
        try workspace.context.coordinator.merge(saved, into: [workspace.context])
        workspace.withdrawAlerts(withdrawn)
    }

    /// Releases the write lock.
    func end(in workspace: Workspace) {
        workspace.context.coordinator.endBackgroundWrite()
    }
}
