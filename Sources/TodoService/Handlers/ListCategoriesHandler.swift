internal import TodoAPI

struct ListCategoriesHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: Empty, _ answer: Answer<ListCategories>) throws {
        let workspace = workspace
        answer.stream(in: workspace) { try CategoryPieces(workspace) }
    }
}
