internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateTagHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: UpdateTag.Parameters, _ answer: Answer<UpdateTag>) throws {
        let name = try TypedValue.tag(parameters.name, field: "name")
        let newName = try TypedValue.tag(parameters.newName, field: "newName")
        let tag = try service.store.tag(named: name)
        if let rival = try service.store.findTag(named: newName), rival !== tag {
            throw APIError.tagExists(name: rival.name)
        }
        let reply = try service.changes.change(UpdateTag.name) {
            try service.store.rename(tag, to: newName)
            // A read that fails after the save would report an error for a change that was made.
            return UpdateTag.Reply(tag: try service.store.summary(of: tag), isUnchanged: !tag.isUpdated)
        }
        answer.reply(reply)
    }
}
