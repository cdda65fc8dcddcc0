internal import CivilTime
internal import ObjectStore

/// The identities of the lines of a todo.txt file.
enum TodoTxtPlan {
    /// A line that is not blank, counted from 0.
    struct Entry {
        let line: Int
        let identity: Identity
    }

    enum Identity {
        /// An item with this `uid`.
        case item(uid: String)
        /// An item of its own, although its line has the `uid` of another line.
        case copy(uid: String, line: Int)
        /// A completed occurrence of the repeating item of another line.
        ///
        /// Programs for todo.txt add a line for the next occurrence when one is done.
        case occurrence(uid: String, line: Int)
    }

    private struct Draft {
        let line: Int
        /// The `uid` of the line, or `nil` if it has none.
        let uid: String?
        /// The identity of a line without one.
        let derived: String
        let isCompleted: Bool
        let due: CivilDate?
    }

    /// Returns the identities, with completed occurrences first and by their due days, and the identifiers of the items by the `id:` of their lines.
    static func entries(of lines: [Substring]) -> ([Entry], [String: String]) {
        var drafts: [Draft] = []
        var ids: [(id: String, draft: Int)] = []
        /// The lines of open repeating items.
        var repeating: [String: Int] = [:]
        for (number, text) in lines.enumerated() where !text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            let line = TodoTxtLine(text)
            if let id = line.id { ids.append((id, drafts.count)) }
            let draft = Draft(
                line: number, uid: line.uid, derived: derivedUID(of: line), isCompleted: line.isCompleted,
                due: line.due)
            if !line.isCompleted, line.recurrence != nil { repeating[draft.uid ?? draft.derived] = number }
            drafts.append(draft)
        }
        /// The lines that keep the `uid` that they have.
        var owners: [String: Int] = [:]
        for draft in drafts where draft.uid != nil && !isOccurrence(draft, repeating) {
            if let uid = draft.uid, owners[uid] == nil { owners[uid] = draft.line }
        }
        var taken = Set(owners.keys)
        var counts: [String: Int] = [:]
        let entries = drafts.map { draft -> Entry in
            let key = draft.uid ?? draft.derived
            if isOccurrence(draft, repeating), let line = repeating[key] {
                return Entry(line: draft.line, identity: .occurrence(uid: key, line: line))
            }
            let owner = draft.uid.flatMap { owners[$0] }
            if let uid = draft.uid, owner == draft.line {
                return Entry(line: draft.line, identity: .item(uid: uid))
            }
            var uid: String
            repeat {
                counts[draft.derived, default: 0] += 1
                let count = counts[draft.derived] ?? 1
                uid = count == 1 ? draft.derived : "\(draft.derived)-\(count)"
            } while !taken.insert(uid).inserted
            return Entry(
                line: draft.line, identity: owner.map { Identity.copy(uid: uid, line: $0) } ?? .item(uid: uid)
            )
        }
        var uids: [String: String] = [:]
        var occurrences: [(due: CivilDate, entry: Entry)] = []
        var items: [Entry] = []
        for (entry, draft) in zip(entries, drafts) {
            guard case .occurrence = entry.identity else {
                items.append(entry)
                continue
            }
            occurrences.append((draft.due ?? .last, entry))
        }
        for (id, draft) in ids {
            switch entries[draft].identity {
            case .item(let uid), .copy(let uid, _): uids[id] = uids[id] ?? uid
            case .occurrence: break
            }
        }
        occurrences.sort { ($0.due, $0.entry.line) < ($1.due, $1.entry.line) }
        return (occurrences.map(\.entry) + items, uids)
    }

    private static func isOccurrence(_ draft: Draft, _ repeating: [String: Int]) -> Bool {
        draft.isCompleted && repeating[draft.uid ?? draft.derived] != nil
    }

    /// Returns the identity that the name and the day of creation give to a line.
    private static func derivedUID(of line: TodoTxtLine) -> String {
        let day = line.created.map { LocalTime.date($0).text } ?? ""
        return "todotxt-\(SHA256.hexadecimal(of: "\(day) \(line.name)").prefix(32))"
    }
}
