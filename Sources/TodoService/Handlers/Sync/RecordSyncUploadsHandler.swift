internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct RecordSyncUploadsHandler: Handler {
    let service: ServiceContext
    let alertSettings: () -> AlertSettings

    func handle(_ parameters: RecordSyncUploads.Parameters, _ answer: Answer<RecordSyncUploads>) throws {
        let list = try SyncStore(context: service.store.context).list(parameters.list)
        let conflicts = try service.changes.saving {
            let receiver = SyncReceiver(service, list)
            try SyncSender(service, list).record(parameters.results, receiver)
            try service.store.context.save()
            try receiver.didSave(alertSettings())
            return try receiver.finalReply().conflicts
        }
        answer.reply(ofChange: .init(conflicts: conflicts))
        service.events.itemsDidChange()
    }
}
