internal import Phrases
internal import TodoAPI

/// The `tag rename` command, for example `todoctl tag rename errand errands`.
struct RenameTagCommand: Command {
    static let verb = "tag rename"
    static let summary = "Rename a tag"
    static let details = "The new name must not be that of another tag. Names of several words need quotes."
    static let examples = ["todoctl tag rename errand errands"]

    private var name = ""
    private var newName = ""

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("OLD", &name, kind: .tag)
        try arguments.word("NEW", &newName)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(UpdateTag.self, .init(name: name, newName: newName))
        if try session.printJSON(reply) { return }
        if reply.unchanged == true {
            return try Output.print("Nothing changed: tag \(reply.tag.name.oneLine())")
        }
        try Output.print("Renamed tag \(TagName.plain(name).oneLine()) to \(reply.tag.name.oneLine())")
    }
}
