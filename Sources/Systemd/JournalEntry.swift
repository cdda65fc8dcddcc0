/// The priority of an entry, with the numbers of syslog.
package enum Priority: Int, Sendable {
    case critical = 2
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}

/// A journal entry: a message for people and fields for programs.
package struct JournalEntry: Sendable {
    package let id: MessageID?
    package let priority: Priority
    /// One line that is understandable by itself.
    package let message: String
    package let fields: [(name: String, value: String)]
    /// The name of the program.
    package let identifier: String

    package init(
        _ message: String, id: MessageID? = nil, priority: Priority,
        fields: [(name: String, value: String)] = [], identifier: String = "todod"
    ) {
        self.identifier = identifier
        self.id = id
        self.priority = priority
        self.message = message
        self.fields = fields
    }

    /// All fields sent to the journal, including the message and its metadata.
    package var allFields: [(name: String, value: String)] {
        var all = [
            (name: "MESSAGE", value: message), (name: "PRIORITY", value: String(priority.rawValue)),
            (name: "SYSLOG_IDENTIFIER", value: identifier),
        ]
        if let id { all.append((name: "MESSAGE_ID", value: id.rawValue)) }
        return all + fields
    }
}
