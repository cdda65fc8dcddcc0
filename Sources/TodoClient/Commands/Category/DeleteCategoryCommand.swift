internal import TodoAPI

/// `todoctl category delete Home --move-to House`
struct DeleteCategoryCommand: Command {
    static let verb = "category delete"
    static let summary = "Delete a category; its items stay, without one"
    static let examples = ["todoctl category delete Home --move-to Work"]

    private var name: [String] = []
    private var destination: String?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, .category)
        arguments.option("--move-to NAME", &destination, "put its items into this category", .category)
    }

    func run(_ session: Session) throws(ClientError) {
        let parameters = DeleteCategory.Parameters(name: name.joined(separator: " "), moveTo: destination)
        let reply = try session.daemon().call(DeleteCategory.self, parameters)
        if session.printJSON(reply) { return }
        Output.print("Deleted category \(reply.category.name.oneLine()); \(fate(of: reply.category.items))")
    }

    private func fate(of items: Int64) -> String {
        if items == 0 { return "it had no items" }
        let subject = items == 1 ? "its item is" : "its \(items) items are"
        return destination.map { "\(subject) in \($0.oneLine()) now" } ?? "\(subject) without a category now"
    }
}
