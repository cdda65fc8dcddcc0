internal import CivilTime
internal import Reminders
internal import TodoAPI

struct EvaluateHandler: Handler {
    let workspace: Workspace
    let alerts: AlertLoop

    func handle(_ parameters: Evaluate.Parameters, _ answer: Answer<Evaluate>) throws {
        let found = try alerts.preview()
        answer.reply(
            .init(
                alerts: found.map {
                    .init(kind: $0.kind.rawValue, id: $0.itemID, name: $0.name, due: $0.due)
                },
                quietUntil: alerts.quietPeriod?.until))
        // They are told when what was called together with this is on disk.
        if parameters.dryRun != true { workspace.itemsDidChange() }
    }
}
