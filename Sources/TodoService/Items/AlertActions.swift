internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Performs the actions that the user chooses in an alert, with the same changes that the handlers make.
final class AlertActions {
    /// A reference to the actions from the sink, which exists before them.
    final class Reference {
        weak var actions: AlertActions?
    }

    private let service: ServiceContext
    private let blockedCalls: BlockedCalls
    private let log: Log

    init(service: ServiceContext, blockedCalls: BlockedCalls, log: Log) {
        self.service = service
        self.blockedCalls = blockedCalls
        self.log = log
    }

    /// Performs an action. If the store cannot be written now, the action waits for it.
    ///
    /// - Parameter moment: the time at which the user chose the action.
    func perform(_ action: AlertAction, on itemID: Int64, since moment: DispatchTime = .now()) {
        dispatchPrecondition(condition: .onQueue(service.queue))
        do {
            try service.changes.sharingCommit { try carryOut(action, on: itemID) }
            log.write(
                .info, "'\(action.label)' was chosen for item \(itemID)",
                fields: [(name: "TODO_ID", value: String(itemID))])
        } catch {
            let again = { self.perform(action, on: itemID, since: moment) }
            if blockedCalls.wait(after: error, since: moment, again) { return }
            log.write(
                .error, "'\(action.label)' for item \(itemID) could not be saved: \(error)",
                fields: [(name: "TODO_ID", value: String(itemID))])
        }
    }

    /// Does nothing if the item was deleted.
    private func carryOut(_ action: AlertAction, on itemID: Int64) throws {
        guard let item = try service.store.context.object(of: ToDo.self, id: itemID) else { return }
        switch action {
        case .done: _ = try ItemEditor(service).complete([itemID])
        case .snooze(let span):
            _ = try ItemEditor(service).snooze([itemID], until: service.times.now() + span.seconds)
        case .mute: _ = try ItemEditor(service).mute([itemID], isMuted: true)
        // Not a change that undo reverts.
        case .dismiss: try service.changes.saving { item.acknowledge() }
        }
        service.events.itemsDidChange()
    }
}
