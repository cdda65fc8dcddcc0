internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Ends the reading of what turns out not to be little.
private struct TooMany: Error {}

extension ItemQuery {
    /// The whole reply, when the query finds its items by an index and they fit into one; nil when they do not, in number or
    /// in length.
    ///
    /// A stream has a connection of its own to the store, and takes longer to begin than a few items take to read. What
    /// this reads is as little however many items there are, so nobody waits for it.
    func fewItems(in workspace: Workspace) throws -> [UInt8]? {
        guard isRange, !columns.needsMore, workspace.store.kind == .sqlite else { return nil }
        var first = request
        first.limit = min(request.limit ?? .max, ListItems.itemsPerReply + 1)
        var result = Result<Void, any Error>.success(())
        let message = MethodReply.bytes { fields in
            fields.name("items")
            fields.array { array in
                result = Result { try write(first, to: &array, workspace) }
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

    func writeNote(to fields: inout JSONWriter) {
        guard let note else { return }
        fields.name("note")
        fields.value(note)
    }

    private func write(_ first: FetchRequest<ToDo>, to array: inout JSONWriter, _ workspace: Workspace) throws
    {
        var clock = RFC3339.Clock(workspace.zone)
        var count = 0
        try workspace.context.forEachRow(first, of: columns.columns) { row in
            guard count < ListItems.itemsPerReply, array.count <= ItemList.pieceBytes else { throw TooMany() }
            columns.write(row, to: &array, clock: &clock)
            count += 1
        }
    }
}
