internal import TodoAPI

/// The `category add` command, for example `todoctl category add Garden`.
struct AddCategoryCommand: Command {
    static let verb = "category add"
    static let summary = "Add a category"
    static let examples = ["todoctl category add Garden"]

    private var name: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(AddCategory.self, .init(name: name.joined(separator: " ")))
        if try session.printJSON(reply) { return }
        try Output.print("Added category \(reply.category.name.oneLine())")
    }
}
