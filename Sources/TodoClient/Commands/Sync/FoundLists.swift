internal import TodoAPI

/// The lists that a server has, and the choice among them.
struct FoundLists {
    private static let nameBytesLimit = 60

    let lists: [FoundSyncList]
    /// The lists that do not accept tasks.
    let others: [FoundSyncList]
    let host: String

    /// The lists that no account synchronizes yet.
    var new: [FoundSyncList] { lists.filter { $0.account == nil } }

    // MARK: - By name

    /// Returns the lists with these names or URLs, without those that the account `known` synchronizes already.
    ///
    /// - Throws: an error if there is no such list, if several have the name, or if another account synchronizes it.
    func lists(
        named names: [String], besidesThoseOf known: String?
    ) throws(ClientError) -> [FoundSyncList] {
        var found: [FoundSyncList] = []
        for name in names {
            let list = try list(named: name)
            if let account = list.account, account == known { continue }
            if let account = list.account {
                throw .refused(
                    "todoctl: the list '\(list.name.oneLine())' is synchronized already, by the account '\(account.oneLine())'"
                )
            }
            if !found.contains(list) { found.append(list) }
        }
        return found
    }

    private func list(named name: String) throws(ClientError) -> FoundSyncList {
        let exact = lists.filter { $0.url == name || $0.name == name }
        let named = exact.isEmpty ? lists.filter { $0.name.lowercased() == name.lowercased() } : exact
        if named.count == 1 { return named[0] }
        guard named.isEmpty else {
            let urls = named.map { "\n  \($0.url.oneLine())" }.joined()
            throw .refused(
                "todoctl: several lists of \(host.oneLine()) have the name '\(name.oneLine(bytesLimit: 80))'; use --list with a URL:\(urls)"
            )
        }
        if let other = others.first(where: { $0.url == name || $0.name.lowercased() == name.lowercased() }) {
            throw .refused("todoctl: the list '\(other.name.oneLine())' does not accept tasks\(shownLists)")
        }
        let guess = SyncAccounts.similar(to: name, lists.map(\.name)).map {
            "; did you mean '\($0.oneLine())'?"
        }
        throw .refused(
            "todoctl: \(host.oneLine()) has no list '\(name.oneLine(bytesLimit: 80))'\(guess.joined())"
                + shownLists)
    }

    private var shownLists: String {
        let names = lists.map { "'\($0.name.oneLine(bytesLimit: Self.nameBytesLimit))'" }
        return "\nIts lists of tasks:  \(names.joined(separator: ", "))"
    }

    // MARK: - On a terminal

    /// Shows the lists with numbers, and asks for those to synchronize.
    ///
    /// - Returns: the lists, or `nil` at the end of the input.
    func ask() -> [FoundSyncList]? {
        Output.printError("Lists on \(host.oneLine()):")
        let width = String(lists.count).count
        for (index, list) in lists.enumerated() {
            let number = String(index + 1)
            let padding = String(repeating: " ", count: width - number.count)
            Output.printError("  \(padding)\(number)  \(description(of: list))")
        }
        while true {
            guard
                let answer = Question.line(
                    "Which ones? Numbers such as 1,3 or 1-2", byDefault: "all that are not synchronized yet")
            else { return nil }
            if let chosen = lists(numbered: answer) { return chosen }
        }
    }

    private func description(of list: FoundSyncList) -> String {
        let state = [
            list.readOnly == true ? "read-only" : nil,
            list.account.map { "synchronized already, by \($0.oneLine())" },
        ].compactMap(\.self)
        return list.name.oneLine(bytesLimit: Self.nameBytesLimit)
            + (state.isEmpty ? "" : "  (\(state.joined(separator: "; ")))")
    }

    /// Returns the lists with these numbers, or prints the reason why the answer is not accepted and returns `nil`.
    private func lists(numbered answer: String) -> [FoundSyncList]? {
        if answer.hasPrefix("all") { return new }
        var numbers = ItemNumbers()
        let words = answer.split { $0 == " " || $0 == "," }.map(String.init)
        guard words.allSatisfy({ numbers.add($0) }) else {
            Output.printError("'\(answer.oneLine(bytesLimit: 80))' has no numbers of lists.")
            return nil
        }
        let chosen = (1...Int64(max(lists.count, 1))).filter { number in
            numbers.single.contains(number) || numbers.ranges.contains { $0.contains(number) }
        }
        let highest = max(numbers.single.max() ?? 0, numbers.ranges.map(\.upperBound).max() ?? 0)
        guard highest <= lists.count else {
            Output.printError("There is no list \(highest).")
            return nil
        }
        let found = chosen.map { lists[Int($0) - 1] }
        if let list = found.first(where: { $0.account != nil }) {
            Output.printError("'\(list.name.oneLine())' is synchronized already.")
            return nil
        }
        return found
    }
}
