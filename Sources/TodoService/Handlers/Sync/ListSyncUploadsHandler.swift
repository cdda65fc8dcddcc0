internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListSyncUploadsHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: ListSyncUploads.Parameters, _ answer: Answer<ListSyncUploads>) throws {
        let list = try SyncStore(context: service.store.context).list(parameters.list)
        let reply = try service.changes.saving {
            let sender = SyncSender(service, list)
            if parameters.retry == true { try sender.forgetRefusals() }
            try sender.findChanges()
            try service.store.context.save()
            return try sender.uploads()
        }
        answer.reply(reply)
    }
}
