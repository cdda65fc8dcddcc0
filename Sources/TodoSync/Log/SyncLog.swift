internal import Dispatch
internal import Platform
package import Systemd
internal import TodoAPI

/// The log of `todod-sync`: the journal if systemd runs the program, otherwise standard error.
///
/// Entries are written on a queue of their own, because a stopped journald blocks the writer. An entry never contains a
/// password.
package final class SyncLog: Sendable {
    /// The longest time for which a journal that does not answer delays the end of the process.
    private static let flushSeconds = 2.0

    private let queue = DispatchQueue(label: "todod-sync.log")
    /// Sends an entry, or returns false if it belongs on standard error.
    private let send: @Sendable (JournalEntry) -> Bool

    package init(usesJournal: Bool = Journal.receivesStandardError) {
        send = { usesJournal && Journal.send($0) }
    }

    /// Creates a log that sends its entries elsewhere.
    package init(to send: @escaping @Sendable (JournalEntry) -> Bool) {
        self.send = send
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - account: the name of the account that the entry is about, for the field `TODO_ACCOUNT`.
    ///   - list: the name of the list that the entry is about, for the field `TODO_LIST`.
    package func write(
        _ priority: Priority, _ message: String, id: MessageID? = nil, account: String? = nil,
        list: String? = nil
    ) {
        var fields: [(name: String, value: String)] = []
        if let account { fields.append((name: "TODO_ACCOUNT", value: account)) }
        if let list { fields.append((name: "TODO_LIST", value: list)) }
        let entry = JournalEntry(
            message.oneLine(), id: id, priority: priority, fields: fields, identifier: "todod-sync")
        queue.async { [send] in
            if !send(entry), priority != .debug {
                StandardStream.error.writeOnce("todod-sync: \(entry.message)\n")
            }
        }
    }

    /// Waits until everything is written, or until the time limit.
    package func flush() {
        let group = DispatchGroup()
        queue.async(group: group) {}
        _ = group.wait(timeout: .now() + Self.flushSeconds)
    }
}
