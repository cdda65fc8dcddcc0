/// How much an entry matters, by syslog's numbers.
package enum Priority: Int, Sendable {
    case critical = 2
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}

/// One entry for the journal: a sentence for people, and fields for programs.
package struct JournalEntry: Sendable {
    package let id: MessageID?
    package let priority: Priority
    /// One line that a person understands by itself.
    package let message: String
    package let fields: [(name: String, value: String)]

    package init(
        _ message: String, id: MessageID? = nil, priority: Priority,
        fields: [(name: String, value: String)] = []
    ) {
        self.id = id
        self.priority = priority
        self.message = message
        self.fields = fields
    }

    /// Everything the journal is given, in its own field names.
    package var allFields: [(name: String, value: String)] {
        var all = [
            (name: "MESSAGE", value: message), (name: "PRIORITY", value: String(priority.rawValue)),
            (name: "SYSLOG_IDENTIFIER", value: "todod"),
        ]
        if let id { all.append((name: "MESSAGE_ID", value: id.rawValue)) }
        return all + fields
    }
}
