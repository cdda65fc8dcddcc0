internal import TodoAPI

/// The choice of a category for each list of a new account.
///
/// A category that exists is used without a question only if it has the name of the list and no items, because its items
/// are sent to the server.
struct CategoryAssignment {
    private let categories: [CategorySummary]
    private let accounts: SyncAccounts
    private let host: String
    private let isSure: Bool
    /// The lists for which a category was chosen, by its lowercased name.
    private var lists: [String: String] = [:]

    init(
        _ accounts: SyncAccounts, host: String, isSure: Bool, _ daemon: Daemon
    ) throws(ClientError) {
        categories = try daemon.call(ListCategories.self, .init()).categories
        self.accounts = accounts
        self.host = host.oneLine()
        self.isSure = isSure
        for list in accounts.lists {
            guard let category = list.summary.category else { continue }
            lists[category.lowercased()] = "'\(list.summary.name.oneLine())' of \(list.account.oneLine())"
        }
    }

    /// Returns the category for a list. Asks on a terminal if the category has another name than the list, has items, or
    /// has another list.
    ///
    /// - Parameter name: the category that the user has typed, or `nil` for the name of the list.
    /// - Throws: an error if there is no terminal to ask on, or at the end of the input.
    mutating func category(for list: FoundSyncList, named name: String?) throws(ClientError) -> String {
        var name = name ?? list.name
        var isAccepted = false
        while true {
            let existing = categories.first { $0.name.lowercased() == name.lowercased() }
            let reason = reason(against: existing, name, list)
            let isTaken = lists[name.lowercased()] != nil
            if !isTaken, reason == nil || isSure || isAccepted {
                let chosen = existing?.name ?? name
                lists[chosen.lowercased()] = "'\(list.name.oneLine())'"
                return chosen
            }
            guard let reason else { continue }
            guard Question.isPossible, !(isTaken && isSure) else { throw refusal(reason, list, isTaken) }
            Output.printError(reason)
            let proposal = isTaken ? freeName(for: list) : existing?.name ?? name
            let question = "Category for the list '\(list.name.oneLine())'"
            guard let answer = Question.line(question, byDefault: proposal) else {
                throw .refused("Nothing was changed.")
            }
            isAccepted = !isTaken && answer.lowercased() == name.lowercased()
            name = answer
        }
    }

    /// Returns the reason why the user has to confirm a category, or `nil` if there is none.
    private func reason(
        against existing: CategorySummary?, _ name: String, _ list: FoundSyncList
    ) -> String? {
        if let other = lists[name.lowercased()] {
            return
                "The category '\((existing?.name ?? name).oneLine())' is synchronized with the list \(other) already."
        }
        guard let existing else { return nil }
        let title = "The category '\(existing.name.oneLine())'"
        switch existing.items {
        case 0:
            return existing.name == list.name || name != list.name
                ? nil : "\(title) exists already, and differs from '\(list.name.oneLine())' only by case."
        case let count:
            let items = count == 1 ? "1 item" : "\(count) items"
            return list.readOnly == true
                ? "\(title) has \(items). The list is read-only, so \(count == 1 ? "it is" : "they are") not sent to \(host)."
                : "\(title) has \(items), which will be sent to \(host)."
        }
    }

    /// Returns a name that no category has yet: `home 2`.
    private func freeName(for list: FoundSyncList) -> String {
        let used = Set(lists.keys).union(categories.map { $0.name.lowercased() })
        var number = 2
        while used.contains("\(list.name) \(number)".lowercased()) { number += 1 }
        return "\(list.name) \(number)"
    }

    private func refusal(_ reason: String, _ list: FoundSyncList, _ isTaken: Bool) -> ClientError {
        let other = "For another category:  --list \(ShellWord.quoted(list.name)) --category NAME"
        let sentence = "\(reason.prefix(1).lowercased())\(reason.dropFirst().dropLast())"
        return .usage(
            "todoctl: \(sentence)\(Question.isPossible ? "" : ", and there is no terminal to ask on")",
            hint: isTaken ? other : "To accept this, add --yes. \(other)")
    }
}
