internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Thrown to end a read that returns too many items.
private struct TooMany: Error {}

extension ItemQuery {
    /// Returns the whole reply if an index finds the items and one reply can hold them, otherwise `nil`.
    ///
    /// A stream needs its own connection to the store, and opening it takes longer than reading a few items. This
    /// method reads no more when the store has many items, so other clients do not wait for it.
    ///
    /// - Parameter forecast: the forecast for delayed alerts, or `nil` if it is not requested.
    func fewItems(in service: ServiceContext, _ forecast: AlertForecast?) throws -> [UInt8]? {
        guard service.store.configuration.kind == .sqlite, try isShort(in: service.store.context)
        else { return nil }
        var first = request
        first.limit = min(request.limit ?? .max, ListItems.itemsPerReply + 1)
        var result = Result<Void, any Error>.success(())
        let message = MethodReply.bytes { fields in
            fields.name("items")
            fields.array { array in
                result = Result { try write(first, to: &array, service, forecast) }
            }
            writeNote(to: &fields)
        }
        do {
            try result.get()
            return message
        } catch is TooMany {
            return nil
        }
    }

    /// Whether the items can be read until there are too many for one reply, without reading all items first.
    private func isShort(in context: ManagedObjectContext) throws -> Bool {
        switch range {
        case .none: return false
        case .due: return true
        case .tag(let tag):
            let rows = try context.rows(Tag.where { $0.id == tag.id }, of: [.key("toDos.@count")])
            return rows.first?.integer(at: 0) ?? 0 <= ListItems.itemsPerReply
        case .parent(let item):
            let children = ToDo.where { $0.parent == item }.limit(ListItems.itemsPerReply + 1)
            return try context.count(children) <= ListItems.itemsPerReply
        }
    }

    func writeNote(to fields: inout JSONWriter) {
        guard let note else { return }
        fields.name("note")
        fields.value(note)
    }

    private func write(
        _ first: FetchRequest<ToDo>, to array: inout JSONWriter, _ service: ServiceContext,
        _ forecast: AlertForecast?
    ) throws {
        var clock = RFC3339.Clock(service.times.zone)
        var count = 0
        let columns = try columns.fitting(service.store)
        let context = service.store.context
        let fetches = columns.needsParts ? try ItemPartFetches(in: context) : nil
        try context.forEachRow(first, of: columns.columns) { row in
            guard count < ListItems.itemsPerReply, array.count <= ItemList.chunkBytes else { throw TooMany() }
            columns.write(
                row, to: &array, clock: &clock, parts: try fetches?.parts(of: row, columns) ?? .none,
                heldUntil: forecast.flatMap { columns.delayEnd(of: row, $0) })
            count += 1
        }
    }
}
