internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateSyncListHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: UpdateSyncList.Parameters, _ answer: Answer<UpdateSyncList>) throws {
        let store = SyncStore(context: service.store.context)
        try TypedValue.checkSyncText(parameters.name, field: "name")
        let list = try store.list(parameters.list)
        // The deletion of many items can be undone. The other changes are no changes of the user.
        let accepts = parameters.acceptDeletions == true
        if parameters.acceptDeletions != nil { try service.changes.saving { try moveItems(of: list, store) } }
        let reply =
            try accepts
            ? service.changes.change(UpdateSyncList.name) { try update(list, parameters, store) }
            : service.changes.saving { try update(list, parameters, store) }
        answer.reply(ofChange: reply)
        service.events.itemsDidChange()
    }

    private func update(
        _ list: SyncList, _ parameters: UpdateSyncList.Parameters, _ store: SyncStore
    ) throws -> UpdateSyncList.Reply {
        if let problem = parameters.problem { list.problem = problem.isEmpty ? nil : problem }
        if let isReadOnly = parameters.readOnly { list.isReadOnly = isReadOnly }
        if let reason = parameters.heldDeletions { list.heldDeletions = reason.isEmpty ? nil : reason }
        if let name = parameters.name { list.name = name }
        var reply = UpdateSyncList.Reply()
        if let accepts = parameters.acceptDeletions { try decide(accepts, list, &reply) }
        reply.list = try store.summary(of: list)
        return reply
    }

    /// Moves the items that another list of the server has now. That is no change of the user, whatever the decision is.
    private func moveItems(of list: SyncList, _ store: SyncStore) throws {
        let receiver = SyncReceiver(service, list)
        let missing = SyncEntry.where { $0.list == list && $0.isMissing == true }
        for entry in try service.store.context.fetch(missing)
        where try store.movedEntry(of: entry) != nil {
            try receiver.takeDeletion(of: entry)
        }
    }

    /// Deletes the items of the missing tasks, or sends them to the server again.
    private func decide(_ accepts: Bool, _ list: SyncList, _ reply: inout UpdateSyncList.Reply) throws {
        let receiver = SyncReceiver(service, list)
        let missing = SyncEntry.where { $0.list == list && $0.isMissing == true }
        for entry in try service.store.context.fetch(missing) {
            if accepts {
                try receiver.takeDeletion(of: entry)
            } else {
                entry.sendAsNew()
            }
        }
        (reply.deleted, reply.kept) = (receiver.reply.deleted, receiver.reply.conflicts)
        list.heldDeletions = nil
    }
}
