internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct StatusHandler: Handler {
    let workspace: Workspace
    let alerts: AlertLoop
    /// Returns the part of the status that only the daemon knows: its process, its store, its last check, its
    /// connections.
    let daemon: () -> Status.Reply

    func handle(_ parameters: Empty, _ answer: Answer<Status>) throws {
        let handler = self
        answer.stream(in: workspace) { try StatusPieces(try handler.status(), handler.workspace) }
    }

    private func status() throws -> Status.Reply {
        var status = daemon()
        let next = FetchRequest<ToDo>(
            matching: try FetchPredicate("completed == NO AND dueDate >= %@", workspace.now()),
            orderedBy: [FetchOrder("dueDate")], limit: 1)
        status.nextDue = try workspace.context.fetch(next).first?.dueDate
        let alert = try alerts.nextAlert()
        status.nextAlert = alert?.moment
        status.nextAlertID = alert?.itemID
        status.nextAlertName = alert?.name
        return status
    }
}
