internal import TodoAPI

/// The `category unmute` command, for example `todoctl category unmute Home`.
struct UnmuteCategoryCommand: Command {
    static let verb = "category unmute"
    static let summary = "Resume alerts for the items of a category"
    static let examples = ["todoctl category unmute Home"]

    private var name: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, kind: .category)
    }

    func run(_ session: Session) throws(ClientError) {
        let name = name.joined(separator: " ")
        let reply = try session.daemon().call(UpdateCategory.self, .init(name: name, muted: false))
        if try session.printJSON(reply) { return }
        let category = reply.category.name.oneLine()
        try Output.print(
            reply.unchanged == true ? "Category \(category) was not muted" : "Unmuted category \(category)")
    }
}
