internal import CivilTime
internal import TodoAPI

/// The `sync conflicts` command.
struct ListSyncConflictsCommand: Command {
    static let verb = "sync conflicts"
    static let summary = "Show changes that lost against others"
    static let details = """
        A conflict is a property, such as the due time, that was changed on both sides before they were synchronized. One \
        value is used on both sides. The other one is kept until 'todoctl sync conflicts restore' puts it back or \
        'todoctl sync conflicts clear' removes it.
        """
    static let examples = ["todoctl sync conflicts"]

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let reply = try daemon.call(ListSyncConflicts.self, .init())
        if try session.printJSON(reply) { return }
        if reply.conflicts.isEmpty { return try Output.print("There are no conflicts.") }
        var texts: [String] = []
        for conflict in reply.conflicts {
            let item = try item(of: conflict, daemon)
            texts.append(
                LabelledText(entries: Self.entries(conflict, item, session)).text(for: session.page))
        }
        texts.append(Self.hint(for: reply.conflicts))
        try Output.print(texts.joined(separator: "\n\n"))
    }

    /// Returns the item as it is now, or `nil` if it was deleted.
    private func item(of conflict: SyncConflict, _ daemon: Daemon) throws(ClientError) -> Item? {
        guard let id = conflict.item else { return nil }
        do throws(ClientError) {
            return try daemon.call(GetItem.self, .init(id: id)).item
        } catch {
            guard case .refused(_, .itemNotFound?) = error else { throw error }
            return nil
        }
    }

    private static func entries(
        _ conflict: SyncConflict, _ item: Item?, _ session: Session
    ) -> [(label: String, text: String)] {
        let name = (item?.name ?? conflict.name).oneLine()
        let number = conflict.item.map { "item \($0)" } ?? "an item"
        let state = item == nil ? "  (deleted)" : ""
        let time =
            conflict.at.map { ", \(session.words.moment($0)), \(session.words.distance(to: $0))" } ?? ""
        let lines = CalendarLine.lines(of: conflict.text)
        var entries = [
            (label: "Conflict", text: "\(conflict.id), of \(number)  \(name)\(state)"),
            (label: "List", text: "\(conflict.list.oneLine()) of \(conflict.account.oneLine())\(time)"),
        ]
        if conflict.properties.isEmpty {
            entries.append(
                (label: "Lost", text: "the deletion of the item, because it was changed on the other side"))
        }
        for property in conflict.properties.map(ConflictProperty.init) {
            let present = item.map { property.presentValue(of: $0, session) }
            let value = property.lostValue(in: lines, session)
            // Properties that describe one value together are kept together, and two of them may have the same value.
            if let item, property.isPresent(value, in: item, session) { continue }
            let text = [present, "lost: \(value)"].compactMap(\.self).joined(separator: "\n")
            if !entries.contains(where: { $0 == (property.label, text) }) {
                entries.append((property.label, text))
            }
        }
        return entries
    }

    private static func hint(for conflicts: [SyncConflict]) -> String {
        let restorable = conflicts.first { !$0.properties.isEmpty }
        let restore = restorable.map {
            "To put a lost value back:  todoctl sync conflicts restore \($0.id)\n"
        }
        let deletion = conflicts.first { $0.properties.isEmpty && $0.item != nil }?.item.map {
            "To delete the item:        todoctl delete \($0)\n"
        }
        return (restore ?? "") + (deletion ?? "")
            + "To keep the present one:   todoctl sync conflicts clear \(conflicts[0].id)"
    }
}
