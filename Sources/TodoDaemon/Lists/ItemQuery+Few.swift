internal import CivilTime
internal import ObjectStore
internal import TodoAPI
internal import Varlink

extension ItemQuery {
    /// The whole reply, when the query finds its items by an index and they fit into one; nil when they may not.
    ///
    /// A stream has a connection of its own to the store, and takes longer to begin than a few items take to read. What
    /// this reads is as little however many items there are, so nobody waits for it.
    func fewItems(in workspace: Workspace) throws -> [UInt8]? {
        guard isRange, workspace.store.kind == .sqlite else { return nil }
        var first = request
        first.limit = min(request.limit ?? .max, ListItems.itemsPerReply + 1)
        let rows = try workspace.context.rows(first, of: columns.columns)
        guard rows.count <= ListItems.itemsPerReply else { return nil }
        var clock = RFC3339.Clock(workspace.zone)
        let message = MethodReply.bytes { fields in
            fields.name("items")
            fields.array { array in
                for row in rows { columns.write(row, to: &array, clock: &clock) }
            }
        }
        return message.count <= ListItems.replyBytesLimit ? message : nil
    }
}
