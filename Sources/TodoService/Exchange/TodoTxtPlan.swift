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
        /// A completed occurrence of an item whose own line is open for that time or an earlier one.
        case openAgain(line: Int)
    }

    private struct Draft {
        let line: Int
        /// The `uid` of the line, or `nil` if it has none.
        let uid: String?
        /// The identity of a line without one.
        let derived: String
        let isCompleted: Bool
        let repeats: Bool
        let due: CivilDateTime?

        init(_ line: TodoTxtLine, number: Int) {
            self.line = number
            uid = line.uid
            derived = TodoTxtPlan.derivedUID(of: line)
            isCompleted = line.isCompleted
            repeats = line.recurrence != nil
            due = line.due.map { CivilDateTime($0, secondOfDay: line.secondOfDay ?? 0) }
        }

        var key: String { uid ?? derived }
    }

    /// The lines of the items with several lines that repeat. The others are completed occurrences.
    ///
    /// The line of an item is its last open one or, if all are done, that of the last occurrence.
    private static func heads(of drafts: [Draft]) -> [String: Draft] {
        var heads: [String: Draft] = [:]
        for draft in drafts where draft.repeats {
            guard let head = heads[draft.key], draft.isCompleted else {
                heads[draft.key] = draft
                continue
            }
            if head.isCompleted, let due = draft.due, head.due.map({ $0 <= due }) ?? true {
                heads[draft.key] = draft
            }
        }
        return heads
    }

    /// Returns the identities, and the identifiers of the items by the `id:` of their lines.
    ///
    /// Completed occurrences are first, in the order of their due times.
    static func entries(of lines: [Substring]) -> ([Entry], [String: String]) {
        var drafts: [Draft] = []
        var ids: [(id: String, draft: Int)] = []
        for (number, text) in lines.enumerated() where !text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            let line = TodoTxtLine(text)
            if let id = line.id { ids.append((id, drafts.count)) }
            drafts.append(Draft(line, number: number))
        }
        let heads = heads(of: drafts)
        /// The lines that keep the `uid` that they have.
        var owners: [String: Int] = [:]
        for draft in drafts where draft.uid != nil && head(of: draft, heads) == nil {
            if let uid = draft.uid, owners[uid] == nil { owners[uid] = draft.line }
        }
        var taken = Set(owners.keys)
        var counts: [String: Int] = [:]
        let entries = drafts.map { draft -> Entry in
            if let head = head(of: draft, heads) {
                let isOpenAgain =
                    !head.isCompleted && (draft.due.flatMap { due in head.due.map { $0 <= due } } ?? false)
                return Entry(
                    line: draft.line,
                    identity: isOpenAgain
                        ? .openAgain(line: head.line) : .occurrence(uid: draft.key, line: head.line))
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
        var occurrences: [(due: CivilDateTime?, entry: Entry)] = []
        var items: [Entry] = []
        for (entry, draft) in zip(entries, drafts) {
            guard case .occurrence = entry.identity else {
                items.append(entry)
                continue
            }
            occurrences.append((draft.due, entry))
        }
        for (id, draft) in ids {
            switch entries[draft].identity {
            case .item(let uid), .copy(let uid, _): uids[id] = uids[id] ?? uid
            case .occurrence, .openAgain: break
            }
        }
        occurrences.sort { left, right in
            guard let first = left.due, let second = right.due else { return left.due != nil }
            return (first, left.entry.line) < (second, right.entry.line)
        }
        return (occurrences.map(\.entry) + items, uids)
    }

    /// Returns the line of the item of which a line is a completed occurrence, or `nil` if it is none.
    private static func head(of draft: Draft, _ heads: [String: Draft]) -> Draft? {
        guard draft.isCompleted, let head = heads[draft.key], head.line != draft.line else { return nil }
        return draft.repeats || !head.isCompleted ? head : nil
    }

    /// Returns the identity that the name and the day of creation give to a line.
    private static func derivedUID(of line: TodoTxtLine) -> String {
        let day = line.created.map { LocalTime.date($0).text } ?? ""
        return "todotxt-\(SHA256.hexadecimal(of: "\(day) \(line.name)").prefix(32))"
    }
}
