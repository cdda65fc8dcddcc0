internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Writes an item from its row. Creating an object would take longer than the rest of the call.
struct GetItemHandler: Handler {
    private let service: ServiceContext
    private let alerts: AlertLoop
    private let item: PreparedFetch
    private let parts: ItemPartFetches
    private let lastDoneID: PreparedFetch
    private let completion: PreparedFetch

    init(service: ServiceContext, alerts: AlertLoop) throws {
        self.service = service
        self.alerts = alerts
        item = try service.store.context.prepare(
            ToDo.where { $0.id == .variable("id") }, of: ItemColumns.all.columns)
        parts = try ItemPartFetches(in: service.store.context)
        // Only the ID, because all completions of the item are compared.
        lastDoneID = try service.store.context.prepare(
            Completion.where { $0.toDo.id == .variable("id") && !$0.isSkipped }
                .ordered(by: \.date, ascending: false).limit(1), of: [.key("id")])
        completion = try service.store.context.prepare(
            Completion.where { $0.id == .variable("id") }, of: HistoryEntry.completionColumns)
    }

    func handle(_ parameters: GetItem.Parameters, _ answer: Answer<GetItem>) throws {
        let id = ["id": AttributeValue.integer(parameters.id)]
        var message: [UInt8]?
        try service.store.context.forEachRow(item, with: id) { row in
            let parts = try parts.parts(of: row, .all)
            let lastDone = try lastDone(of: row, id)
            var clock = RFC3339.Clock(service.times.zone)
            message = MethodReply.bytes { fields in
                fields.name("item")
                ItemColumns.all.write(
                    row, to: &fields, clock: &clock, parts: parts,
                    heldUntil: ItemColumns.all.delayEnd(of: row, alerts.forecast))
                guard let entry = lastDone else { return }
                fields.name("lastDone")
                entry.write(to: &fields, zone: service.times.zone)
            }
        }
        guard let message else { throw APIError.itemNotFound(ids: [parameters.id]) }
        answer.reply(message: message)
    }

    /// Returns the last completion of a repeating item.
    private func lastDone(of row: any StoreRow, _ id: [String: AttributeValue]) throws -> HistoryEntry? {
        let context = service.store.context
        guard ItemColumns.all.hasRule(row), let last = try context.rows(lastDoneID, with: id).first else {
            return nil
        }
        return try context.rows(completion, with: ["id": last[0]]).first.flatMap(HistoryEntry.init)
    }
}
