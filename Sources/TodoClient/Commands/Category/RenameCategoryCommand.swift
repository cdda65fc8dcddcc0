internal import TodoAPI

/// The `category rename` command, for example `todoctl category rename Home 'Home and garden'`.
struct RenameCategoryCommand: Command {
    static let verb = "category rename"
    static let summary = "Rename a category"
    static let details = "Names of several words need quotes."
    static let examples = ["todoctl category rename Home 'Home and garden'"]

    private var name = ""
    private var newName = ""

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("OLD", &name, kind: .category)
        try arguments.word("NEW", &newName)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(UpdateCategory.self, .init(name: name, newName: newName))
        if try session.printJSON(reply) { return }
        if reply.unchanged == true {
            return try Output.print("Nothing changed: category \(reply.category.name.oneLine())")
        }
        try Output.print("Renamed category \(name.oneLine()) to \(reply.category.name.oneLine())")
    }
}
