/// Reads the lists of an account from PROPFIND answers.
enum RemoteListReader {
    static let properties = [
        "D:resourcetype", "D:displayname", "D:current-user-privilege-set", "D:sync-token",
        "C:supported-calendar-component-set", "S:getctag", "A:calendar-color", "A:calendar-order",
    ]

    static func lists(in homes: [DAVURL], _ connection: DAVConnection) throws(CalDAVError) -> [RemoteList] {
        var lists: [RemoteList] = []
        for home in homes {
            let (rows, url) = try connection.propfind(home, depth: 1, properties)
            for row in rows where row.isCalendar && !isDeleted(row) {
                let list = list(row)
                try connection.requireTrust(in: list.url, namedBy: url)
                if !lists.contains(where: { $0.url.isSameResource(as: list.url) }) { lists.append(list) }
            }
        }
        return lists
    }

    static func list(_ row: MultistatusRow) -> RemoteList {
        RemoteList(
            url: row.href, name: row.text("D:displayname") ?? row.href.name,
            color: row.text("A:calendar-color"), order: row.text("A:calendar-order").flatMap { Int($0) },
            acceptsTasks: acceptsTasks(row), isReadOnly: row.isReadOnly, ctag: row.text("S:getctag"),
            syncToken: row.text("D:sync-token"))
    }

    private static func acceptsTasks(_ row: MultistatusRow) -> Bool {
        guard let set = row.property("C:supported-calendar-component-set") else { return true }
        return set.children("C:comp").contains { $0.nameAttribute?.uppercased() == "VTODO" }
    }

    /// Whether the list is in the trash of a Nextcloud server.
    private static func isDeleted(_ row: MultistatusRow) -> Bool {
        row.property("D:resourcetype")?.children.contains { $0.name.hasSuffix("}deleted-calendar") } ?? false
    }
}
