internal import TodoAPI

/// The items that a command acts on: numbers such as `3 5-7`, or the items that a predicate matches.
///
/// Every single number has to be that of an item. A range and a predicate select the items that exist. A predicate
/// selects open items unless it names `completed`. For `reopen` it selects items that are done.
struct ItemSelection {
    /// The maximum number of names that are shown before a question.
    private static let namesLimit = 10
    /// The number of ranges in one predicate. It is far below the limit on predicates.
    private static let rangesPerCall = 100

    /// The state of the items that a range selects.
    private let state: ListItems.State
    /// Returns the question to ask before several items are changed, such as `Delete these 3 items?`.
    ///
    /// It is `nil` for a command that does not ask.
    private let question: ((_ count: Int) -> String)?
    /// The greatest number of items for which the question is not asked.
    private let unaskedLimit: Int
    /// Whether the command fails if there is no terminal to ask on.
    private let needsAnswer: Bool
    /// Whether the command does not change the items.
    private let isReading: Bool
    /// Whether the command also works without a selection.
    private let isOptional: Bool

    private var numbers = ItemNumbers()
    private var predicate: String?
    private var includesDone = false
    private var isSure = false

    init(
        _ state: ListItems.State, question: ((_ count: Int) -> String)? = nil, unaskedLimit: Int = 1,
        needsAnswer: Bool = true, isReading: Bool = false, isOptional: Bool = false
    ) {
        self.state = state
        self.question = question
        self.unaskedLimit = unaskedLimit
        self.needsAnswer = needsAnswer
        self.isReading = isReading
        self.isOptional = isOptional
    }

    /// Whether the user selected nothing.
    var isEmpty: Bool { numbers.isEmpty && predicate == nil }

    /// The words of the selection for a message: `3 5-7`, or `--where` and the predicate.
    var typed: [String] { numbers.words + (predicate.map { ["--where", ShellWord.quoted($0)] } ?? []) }

    /// Whether the user typed one number and nothing else.
    ///
    /// A range does not count, because its size is not known before a search.
    var isOne: Bool { one != nil }

    /// The number that the user typed, or `nil` if the selection is anything but one number.
    var one: Int64? {
        predicate == nil && numbers.words == numbers.single.prefix(1).map(String.init)
            ? numbers.single.first : nil
    }

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        arguments.items("[ID]...", &numbers, state: state)
        arguments.option(
            "--where PREDICATE", &predicate, help: "select items by PREDICATE instead of by number")
        if state == .all {
            arguments.flag("-a, --all", &includesDone, help: "with --where: include items that are done")
        }
        if predicate == nil {
            if includesDone { throw arguments.usage("--all needs --where") }
            if numbers.isEmpty, !isOptional || arguments.hasWords { try arguments.needItems() }
        } else if !numbers.isEmpty {
            throw arguments.usage("numbers and --where cannot be combined")
        }
        if question != nil {
            arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation of several items")
        }
    }

    /// The words that the user typed, or `nil` unless the last of several words is a single number.
    var wordsEndingInNumber: [String]? { numbers.lastNumber == nil ? nil : numbers.words }

    /// Removes and returns the last number, or returns `nil` if it is the only word or not a single number.
    mutating func removeLastNumber() -> String? { numbers.removeLastNumber() }

    /// Calls a method for the items, and prints a line for each item or, if `--json` is set, all of them as JSON.
    func change<M: Method>(
        for command: any Command.Type, session: Session, method: M.Type,
        parameters: ([Int64]) -> M.Parameters, unchanged: String? = nil, also: ((Int) -> String)? = nil,
        line: (Item) -> String
    ) throws(ClientError) where M.Reply: ItemReply {
        try change(
            for: command, session: session,
            call: { (ids, daemon) throws(ClientError) in try daemon.call(method, parameters(ids)) },
            unchanged: unchanged, also: also, line: line)
    }

    /// Runs `call` for the items, and prints a line for each item or, if `--json` is set, all of them as JSON.
    ///
    /// - Parameter unchanged: the text for an item that already was in the wanted state, such as `Was not snoozed`. If
    ///   it is `nil`, `line` is used for these items, too.
    /// - Parameter also: returns the sentence about the other items that were changed with them, by their number.
    func change<Reply: ItemReply>(
        for command: any Command.Type, session: Session,
        call: (_ ids: [Int64], _ daemon: Daemon) throws(ClientError) -> Reply, unchanged: String?,
        also: ((Int) -> String)? = nil, line: (Item) -> String
    ) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try ids(of: command, session, daemon) else { return }
        var all = AllChanges()
        let changes = try ItemBatches(ids: ids).forEach { ids throws(ClientError) in
            let reply = try call(ids, daemon)
            if session.wantsJSON {
                all.items += reply.items
                if let unchanged = reply.unchanged { all.unchanged = (all.unchanged ?? []) + unchanged }
                if let others = reply.also { all.also = (all.also ?? []) + others }
                if let ids = reply.unblocked { all.unblocked = (all.unblocked ?? []) + ids }
                return
            }
            let same = Set(unchanged == nil ? [] : reply.unchanged ?? [])
            let lines = reply.items.map { item in
                guard same.contains(item.id), let unchanged else { return line(item) }
                return "\(unchanged): \(session.line(for: item))"
            }
            let count = reply.also?.count ?? 0
            let sentence = count == 0 ? nil : also?(count)
            try Output.print((lines + [sentence].compactMap(\.self)).joined(separator: "\n"))
            // The change is made, so a failure to read the names is no failure of the command.
            let unblocked = try? unblocked(reply.unblocked ?? [], session, daemon)
            for line in unblocked ?? [] { try Output.print(line) }
        }
        // A later batch may have completed an item that an earlier one has freed.
        let changed = Set(all.items.map(\.id) + (all.also ?? []))
        all.unblocked?.removeAll(where: changed.contains)
        if try session.printJSON(all) || changes == 1 { return }
        try Output.print("This made \(changes) changes. To undo them:  todoctl undo \(changes)")
    }

    /// Returns a line for each item that is no longer blocked. Of many items, the first ones have lines.
    private func unblocked(
        _ ids: [Int64], _ session: Session, _ daemon: Daemon
    ) throws(ClientError) -> [String] {
        guard !ids.isEmpty else { return [] }
        let shown = ids.prefix(Self.namesLimit)
        var filter = ListItems.Parameters()
        filter.where = "id IN {\(shown.map(String.init).joined(separator: ", "))}"
        filter.fields = ["due"]
        // An item with a start in the future is also free.
        filter.state = .all
        let items = try session.items(of: ListItems.self, filter, daemon)
        let rest = ids.count > shown.count ? ["and \(ids.count - shown.count) more"] : []
        return items.map { "Not blocked any more: \(session.line(for: $0))" } + rest
    }

    /// Returns the numbers of the items, or prints a message and returns `nil` if there are none.
    ///
    /// - Throws: an error of the daemon, or an error if the user is asked and declines.
    func ids(of command: any Command.Type, _ session: Session, _ daemon: Daemon) throws(ClientError)
        -> [Int64]?
    {
        var found: [Item] = []
        for condition in conditions {
            var filter = ListItems.Parameters()
            filter.state = lookedUp
            filter.where = condition
            filter.fields = []
            filter.order = ["id"]
            filter.timeZone = session.zoneName
            found += try session.items(of: ListItems.self, filter, daemon)
        }
        let ids = Set(numbers.single + found.map(\.id)).sorted()
        guard !ids.isEmpty else {
            if try session.printJSON(ItemList()) { return nil }
            try Output.print(none)
            return nil
        }
        if let question, ids.count > unaskedLimit, !isSure {
            try ask(question(ids.count), command: command, ids: ids, found: found)
        }
        return ids
    }

    /// The state of the items to search, or `nil` if the predicate decides.
    private var lookedUp: ListItems.State? {
        if predicate == nil || state == .completed { return state }
        return includesDone ? .all : nil
    }

    /// The message if no item is selected.
    private var none: String {
        let searched = SearchedItems(lookedUp, predicate)
        let typed = predicate ?? numbers.words.joined(separator: " ")
        let end = isReading ? "." : "; nothing was changed."
        let hint = searched == .open && state == .all ? " Add --all to include items that are done." : ""
        return
            "No \(searched.rawValue) matches \(ShellWord.quoted(typed))\(end)\(predicate == nil ? "" : hint)"
    }

    /// The predicates for the items to look up: those with numbers that are not known yet, and those with names to
    /// show.
    private var conditions: [String] {
        if let predicate { return [predicate] }
        var parts = numbers.ranges.map { "id BETWEEN {\($0.lowerBound), \($0.upperBound)}" }
        if question != nil, !isSure, numbers.single.count > unaskedLimit {
            let shown = numbers.single.sorted().prefix(Self.namesLimit).map(String.init)
            parts.append("id IN {\(shown.joined(separator: ", "))}")
        }
        return stride(from: 0, to: parts.count, by: Self.rangesPerCall).map { start in
            parts[start..<min(start + Self.rangesPerCall, parts.count)].joined(separator: " OR ")
        }
    }

    private func ask(
        _ question: String, command: any Command.Type, ids: [Int64], found: [Item]
    ) throws(ClientError) {
        let names = Dictionary(found.map { ($0.id, $0.name) }) { first, _ in first }
        let shown = ids.prefix(Self.namesLimit).map { id in "  \(id)  \(names[id]?.oneLine() ?? "")" }
        let rest = ids.count > shown.count ? ["  and \(ids.count - shown.count) more"] : []
        let lines = ["\(ids.count) items:"] + shown + rest + [question]
        let answer = Question.ask(lines.joined(separator: "\n"))
        switch answer {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            if !needsAnswer { return }
            throw .usage(
                "todoctl: '\(command.verb)' of \(ids.count) items needs confirmation, and there is no terminal to ask on",
                hint: "To confirm:  \(line(of: command)) --yes")
        }
    }

    private func line(of command: any Command.Type) -> String {
        let words =
            numbers.words + (predicate.map { ["--where", $0] } ?? []) + (includesDone ? ["--all"] : [])
        return (["todoctl", command.verb] + words.map(ShellWord.quoted)).joined(separator: " ")
    }
}

/// A reply with the items that a command acted on.
protocol ItemReply {
    var items: [Item] { get }
    /// The IDs of the items that already were in the wanted state.
    var unchanged: [Int64]? { get }
    /// The IDs of the other items that were changed with them.
    var also: [Int64]? { get }
    /// The IDs of the items that are no longer blocked.
    var unblocked: [Int64]? { get }
}

extension ItemReply {
    var also: [Int64]? { nil }
    var unblocked: [Int64]? { nil }
}

/// The replies to all calls of a command, as JSON.
private struct AllChanges: MessageBody {
    var items: [Item] = []
    var unchanged: [Int64]?
    var also: [Int64]?
    var unblocked: [Int64]?

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
        try fields.field("unchanged", &unchanged)
        try fields.field("also", &also)
        try fields.field("unblocked", &unblocked)
    }
}

extension ItemChanges: ItemReply {}
extension UpdateItems.Reply: ItemReply {}
extension CompleteItems.Reply: ItemReply {}

extension DeleteItems.Reply: ItemReply {
    var unchanged: [Int64]? { nil }
}

extension ItemList: ItemReply {
    var unchanged: [Int64]? { nil }
}
