internal import TodoAPI

/// The `view delete` command, for example `todoctl view delete work`.
struct DeleteViewCommand: Command {
    static let verb = "view delete"
    static let summary = "Delete a view, but keep its items"
    static let examples = ["todoctl view delete work"]

    private var name: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, kind: .view)
    }

    func run(_ session: Session) throws(ClientError) {
        let name = name.joined(separator: " ")
        let reply = try session.daemon().call(DeleteView.self, .init(name: name))
        if try session.printJSON(reply) { return }
        try Output.print("Deleted view \(reply.view.name.oneLine())")
    }
}
