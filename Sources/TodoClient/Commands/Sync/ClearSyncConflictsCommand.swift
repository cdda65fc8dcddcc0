internal import TodoAPI

/// The `sync conflicts clear` command, for example `todoctl sync conflicts clear 3`.
struct ClearSyncConflictsCommand: Command {
    static let verb = "sync conflicts clear"
    static let summary = "Keep the present values, and forget the lost ones"
    static let examples = ["todoctl sync conflicts clear 3", "todoctl sync conflicts clear --all --yes"]

    private var ids = ConflictNumbers()
    private var isAll = false
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try ids.code(&arguments, "[ID]...")
        arguments.flag("-a, --all", &isAll, help: "all conflicts")
        arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation if there are several")
    }

    func run(_ session: Session) throws(ClientError) {
        if isAll != ids.numbers.isEmpty {
            throw Self.usage(
                isAll
                    ? "--all and numbers of conflicts cannot be combined"
                    : "'\(Self.verb)' needs the number of a conflict, or --all")
        }
        let daemon = try session.daemon()
        let numbers =
            try isAll ? daemon.call(ListSyncConflicts.self, .init()).conflicts.map(\.id) : ids.numbers
        if isAll { try ask(numbers.count) }
        for id in numbers {
            var parameters = ResolveSyncConflict.Parameters()
            parameters.id = id
            let reply = try daemon.call(ResolveSyncConflict.self, parameters)
            if try session.printJSON(reply) { continue }
            try Output.print("Cleared conflict \(id)")
        }
        if numbers.isEmpty, !session.wantsJSON { try Output.print("There are no conflicts.") }
    }

    /// Asks for confirmation if there are two or more conflicts.
    ///
    /// - Throws: an error if the user declines, or if there is no terminal to ask on.
    private func ask(_ count: Int) throws(ClientError) {
        if isSure || count < 2 { return }
        switch Question.ask("Forget the lost values of \(count) conflicts?") {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            throw .usage(
                "todoctl: '\(Self.verb)' of \(count) conflicts needs confirmation, and there is no terminal to ask on",
                hint: "To confirm:  todoctl \(Self.verb) --all --yes")
        }
    }
}
