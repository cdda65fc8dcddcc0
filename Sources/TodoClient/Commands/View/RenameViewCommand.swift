internal import TodoAPI

/// The `view rename` command, for example `todoctl view rename work office`.
struct RenameViewCommand: Command {
    static let verb = "view rename"
    static let summary = "Rename a view"
    static let examples = ["todoctl view rename work office"]

    private var name = ""
    private var newName = ""

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("OLD", &name, kind: .view)
        try arguments.word("NEW", &newName)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(UpdateView.self, .init(name: name, newName: newName))
        if try session.printJSON(reply) { return }
        if reply.unchanged == true {
            return try Output.print("Nothing changed: view \(reply.view.name.oneLine())")
        }
        try Output.print("Renamed view \(name.oneLine()) to \(reply.view.name.oneLine())")
    }
}
