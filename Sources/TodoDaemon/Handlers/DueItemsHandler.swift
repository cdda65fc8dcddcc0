internal import CivilTime
internal import TodoAPI

struct DueItemsHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: DueItems.Parameters, _ answer: Answer<DueItems>) throws {
        let span = try Workspace.timeSpan(parameters.within ?? DueItems.customarySpan, field: "within")
        try answer.stream(ItemQuery(dueBefore: workspace.now() + span.seconds), in: workspace)
    }
}
