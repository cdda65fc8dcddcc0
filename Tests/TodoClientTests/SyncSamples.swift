import CivilTime
import TodoAPI

extension FoundSyncList {
    static func sample(_ name: String, readOnly: Bool? = nil, account: String? = nil) -> FoundSyncList {
        var list = FoundSyncList()
        list.url = "https://dav.example.org/ann/\(name)/"
        (list.name, list.readOnly, list.account) = (name, readOnly, account)
        return list
    }
}

extension CategorySummary {
    static func sample(_ name: String, items: Int64) -> CategorySummary {
        .init(id: 1, name: name, muted: false, items: items, open: items)
    }
}

extension SyncAccountSummary {
    static func sample(_ name: String, lists: [SyncListSummary]) -> SyncAccountSummary {
        var account = SyncAccountSummary()
        (account.name, account.url, account.user) = (name, "https://\(name)/", "ann")
        (account.passwordSource, account.lists) = ("keyring", lists)
        return account
    }
}

extension SyncListSummary {
    static func sample(_ id: Int64, _ name: String, category: String?) -> SyncListSummary {
        var list = SyncListSummary()
        (list.id, list.name, list.category) = (id, name, category)
        list.url = "https://dav.example.org/ann/\(name)/"
        list.lastSync = Timestamp.now + -120
        list.items = 12
        return list
    }
}

extension SyncNow.Reply {
    static func sample(
        _ list: String?, received: Int64, sent: Int64, problems: [String] = []
    ) -> SyncNow.Reply {
        var reply = SyncNow.Reply()
        (reply.account, reply.list) = (list == nil ? nil : "dav.example.org", list)
        (reply.received, reply.sent, reply.problems) = (received, sent, problems)
        return reply
    }
}

extension SyncConflict {
    static func sample(_ id: Int64, item: Int64, _ properties: [String], _ text: String) -> SyncConflict {
        var conflict = SyncConflict()
        (conflict.id, conflict.item, conflict.name) = (id, item, "Call")
        (conflict.list, conflict.account) = ("home", "dav.example.org")
        (conflict.at, conflict.properties, conflict.text) = (Timestamp.now + -7200, properties, text)
        return conflict
    }
}

extension FakeServices {
    /// Adds two conflicts, the second one of a deleted item.
    func addConflicts() {
        set { state in
            var item = Item()
            (item.id, item.name, item.priority) = (12, "Pay the rent", 2)
            item.due = CalendarTime("2031-11-27T09:00:00Z")
            state.items = [item]
            state.conflicts = [
                .sample(3, item: 12, ["DUE", "PRIORITY"], "DUE:20311128T100000Z\r\n"),
                .sample(4, item: 13, ["SUMMARY", "LOCATION"], "SUMMARY:Tea\\, green\r\nLOCATION:Shop\r\n"),
            ]
        }
    }
}
