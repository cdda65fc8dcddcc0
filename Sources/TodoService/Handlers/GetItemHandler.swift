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
    private let alarms: PreparedFetch
    private let links: PreparedFetch
    private let lastDoneID: PreparedFetch
    private let completion: PreparedFetch

    init(service: ServiceContext, alerts: AlertLoop) throws {
        self.service = service
        self.alerts = alerts
        item = try service.store.context.prepare(
            ToDo.where { $0.id == .variable("id") }, of: ItemColumns.all.columns)
        alarms = try service.store.context.prepare(
            Alarm.where { $0.toDo.id == .variable("id") }, of: AlarmRows.columns)
        links = try service.store.context.prepare(
            Link.where { $0.toDo.id == .variable("id") }.ordered(by: \.place, nilIsLast: true).ordered(
                by: \.id), of: LinkValue.columns)
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
            let parts = try parts(of: row, id)
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

    /// Returns the item's own alarms and its links. Most items have none, which the row shows.
    private func parts(of row: any StoreRow, _ id: [String: AttributeValue]) throws -> ItemParts {
        var parts = ItemParts()
        let context = service.store.context
        if ItemColumns.all.hasAlarms(row) {
            parts.alarms = try context.rows(alarms, with: id).compactMap { AlarmTime($0, at: 0) }.sorted()
        }
        if ItemColumns.all.hasLinks(row) {
            parts.links = try context.rows(links, with: id).compactMap { LinkValue($0, at: 0) }
                .map(ItemLink.init)
        }
        return parts
    }
}
