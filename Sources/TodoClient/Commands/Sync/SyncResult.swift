internal import TodoAPI

/// The result of a synchronization so far, from the replies of `SyncNow`.
///
/// Each reply about a list has its numbers up to now. The last reply has the sums, and all problems.
struct SyncResult {
    private static let titleBytesLimit = 80

    private struct List: Hashable {
        let account: String?
        let name: String
    }

    private struct Counts {
        var received: Int64 = 0
        var sent: Int64 = 0
    }

    /// The lists in the order of their first replies.
    private var lists: [List] = []
    private var counts: [List: Counts] = [:]
    private var sum = Counts()
    /// The problems, with the lists that have them.
    private(set) var problems: [String] = []
    /// The problems as the program has sent them.
    private var known: Set<String> = []

    mutating func add(_ reply: SyncNow.Reply) {
        let list = reply.list.map { List(account: reply.account, name: $0) }
        let counts = Counts(received: reply.received, sent: reply.sent)
        if let list {
            if self.counts.updateValue(counts, forKey: list) == nil { lists.append(list) }
        } else {
            sum = counts
        }
        for problem in reply.problems where known.insert(problem).inserted {
            let place = list.map { "\($0.name.oneLine()): " } ?? ""
            problems.append(place + ErrorText.lines(of: problem))
        }
    }

    /// The list that is being synchronized, and its numbers.
    var activity: String {
        guard let list = lists.last, let counts = counts[list] else { return "Synchronizing" }
        return "Synchronizing \(title(of: list)): \(Self.text(counts))"
    }

    /// A line for each list, such as `home: 3 received, 1 sent`.
    var lines: [String] {
        if lists.isEmpty, sum.received == 0, sum.sent == 0 {
            return problems.isEmpty ? ["Nothing has changed on either side."] : []
        }
        if lists.isEmpty { return [Self.text(sum)] }
        return lists.map { list in "\(title(of: list)): \(Self.text(counts[list] ?? Counts()))" }
    }

    /// Returns the name of a list, after the name of its account if there are several accounts.
    private func title(of list: List) -> String {
        let hasOneAccount = Set(lists.map(\.account)).count == 1
        let account = hasOneAccount ? nil : list.account
        return "\(account.map { "\($0)/" } ?? "")\(list.name)".oneLine(bytesLimit: Self.titleBytesLimit)
    }

    private static func text(_ counts: Counts) -> String {
        counts.received == 0 && counts.sent == 0
            ? "nothing new" : "\(counts.received) received, \(counts.sent) sent"
    }
}
