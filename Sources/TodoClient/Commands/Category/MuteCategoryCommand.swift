internal import TodoAPI

/// The `category mute` command, for example `todoctl category mute Home`.
struct MuteCategoryCommand: Command {
    static let verb = "category mute"
    static let summary = "Stop alerts for the items of a category"
    static let examples = ["todoctl category mute Home"]

    private var name: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, kind: .category)
    }

    func run(_ session: Session) throws(ClientError) {
        let name = name.joined(separator: " ")
        let reply = try session.daemon().call(UpdateCategory.self, .init(name: name, muted: true))
        if try session.printJSON(reply) { return }
        let category = reply.category.name.oneLine()
        try Output.print(
            reply.unchanged == true ? "Category \(category) was already muted" : "Muted category \(category)")
    }
}
