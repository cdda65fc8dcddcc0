internal import TodoAPI

/// The `edit` command, for example `todoctl edit 3 --due "friday 9am"` or `todoctl edit 3 5-7 --category Home`.
struct UpdateItemsCommand: Command {
    static let verb = "edit"
    static let summary = "Change items"
    static let details = """
        Either all items are changed or none, and one undo reverts the change. For one item without options, your editor \
        ($VISUAL, or else $EDITOR, or else the default of the system) opens with all fields of the item. An empty text ('') \
        removes the due time, the start, the rule, the category, the parent, the lead time, the alerts, the priority, the \
        estimate, the progress, the URL or the notes. --no-tags, --no-links and --no-blocked-by remove all tags, links and \
        blockers. A change of more than 10 items is confirmed on a terminal.
        """
    static let examples = [
        #"todoctl edit 3 --due "friday 9am" --lead 1d,1h"#, "todoctl edit 3",
        "todoctl edit 3 4 5 --category Home", "todoctl edit 3 --tag errand --untag post",
        #"todoctl edit 3 --append-notes "called, no answer""#, "todoctl edit 7 --parent 3",
        "todoctl edit 7 --before 5",
    ]

    /// The greatest number of items that are changed without a question.
    private static let unaskedLimit = 10

    private var items = ItemSelection(
        .all, question: { "Change these \($0) items?" }, unaskedLimit: Self.unaskedLimit, needsAnswer: false)
    private var change = UpdateItems.Parameters()
    private var isAfterDue = false
    private var isFixed = false
    private var dropsTags = false
    private var dropsLinks = false
    private var dropsBlockers = false
    private var category = CategoryChoice()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
        arguments.option("-n, --name TEXT", &change.name, help: "the new name, for a single item")
        try change.details.codeOptions(&arguments, &category)
        try arguments.tags("-t, --tag NAME", &change.addTags, help: "add a tag; may be repeated")
        try arguments.tags("--untag NAME", &change.removeTags, help: "remove a tag; may be repeated")
        arguments.flag("--no-tags", &dropsTags, help: "remove all tags, before those of --tag are added")
        var links: [String]?
        try arguments.texts("--link URL", &links, help: "add a link; may be repeated")
        change.addLinks = links.map { $0.map(ItemLink.init(typed:)) }
        try arguments.texts(
            "--unlink URL", &change.removeLinks,
            help: "remove a link: its URL, or its number in 'todoctl show'; may be repeated")
        arguments.flag("--no-links", &dropsLinks, help: "remove all links, before those of --link are added")
        try arguments.item(
            "--before ID", &change.before, help: "place it before this subtask, below the same parent")
        try arguments.item(
            "--after ID", &change.after, help: "place it after this subtask, below the same parent")
        try arguments.items(
            "--blocked-by IDS", &change.addBlockedBy,
            help: "add items to do before this one: 4,7; may be repeated")
        try arguments.items(
            "--unblocked-by IDS", &change.removeBlockedBy,
            help: "remove items to do before this one; may be repeated")
        arguments.flag(
            "--no-blocked-by", &dropsBlockers,
            help: "remove all items to do before, before those of --blocked-by are added")
        arguments.option("--append-notes TEXT", &change.appendNotes, help: "add lines below the notes")
        arguments.flag("--fixed", &isFixed, help: "keep the moment of a floating due time from now on")
        arguments.flag("--after-due", &isAfterDue, help: "count the next time from the due time again")
    }

    func run(_ session: Session) throws(ClientError) {
        guard isChange else { return try edit(session) }
        let change = try self.change(session)
        var categoryName = category.name
        try items.change(
            for: Self.self, session: session,
            call: { (ids, daemon) throws(ClientError) in
                try category.applied(categoryName) { (name, isNew) throws(ClientError) in
                    // Use the category that the user created or chose for the first batch in all others.
                    categoryName = name
                    var change = change
                    change.ids = ids
                    (change.category, change.newCategory) = (name, isNew)
                    let reply = try daemon.call(UpdateItems.self, change)
                    session.addNote(reply.note)
                    return reply
                }
            }, unchanged: "Nothing changed",
            line: { item in
                let isUnused = change.leads?.isEmpty == false && item.due == nil
                return "Changed \(session.line(for: item, adding: changes(change, to: item)))"
                    + Self.completionHint(change, item)
                    + (isUnused ? "; without a due time (--due) the lead time has no effect" : "")
            })
    }

    /// Returns the changed values that the line of an item does not have by itself.
    private func changes(_ change: UpdateItems.Parameters, to item: Item) -> [String] {
        var texts: [String] = []
        if change.priority != nil {
            texts.append(item.priority == 0 ? "no priority" : "priority \(item.priority)")
        }
        if category.name != nil {
            texts.append(item.category.map { "category \($0.oneLine(bytesLimit: 80))" } ?? "no category")
        }
        if change.tags != nil || change.addTags != nil || change.removeTags != nil {
            let tags = (item.tags ?? []).map { "+\($0.oneLine(bytesLimit: 80))" }
            texts.append(tags.isEmpty ? "no tags" : tags.joined(separator: " "))
        }
        if change.percent != nil { texts.append("\(item.percent ?? 0) % done") }
        return texts
    }

    /// Returns a hint for an open item with all of its work done, or an empty string.
    private static func completionHint(_ change: UpdateItems.Parameters, _ item: Item) -> String {
        guard change.percent == 100, !item.completed else { return "" }
        return "; to complete it:  todoctl done \(item.id)"
    }

    private var isChange: Bool {
        change.name != nil || change.details.isChange || change.appendNotes != nil || isAfterDue
            || isFixed || category.name != nil || change.addTags != nil || change.removeTags != nil
            || change.addLinks != nil || change.removeLinks != nil || dropsTags || dropsLinks
            || change.before != nil || change.after != nil || change.addBlockedBy != nil
            || change.removeBlockedBy != nil || dropsBlockers
    }

    private func change(_ session: Session) throws(ClientError) -> UpdateItems.Parameters {
        if category.lacksName { throw Self.usage("--new-category needs --category") }
        if isAfterDue, change.afterDone != nil {
            throw Self.usage("--after-done and --after-due cannot be combined")
        }
        if change.notes != nil, change.appendNotes != nil {
            throw Self.usage("--notes and --append-notes cannot be combined")
        }
        if change.name != nil, !items.isOne { throw Self.usage("--name needs the number of a single item") }
        var change = change
        if isFixed, change.floating != nil {
            throw Self.usage("--floating and --fixed cannot be combined")
        }
        if isAfterDue { change.afterDone = false }
        if isFixed { change.floating = false }
        if dropsTags {
            if change.removeTags != nil { throw Self.usage("--no-tags and --untag cannot be combined") }
            (change.tags, change.addTags) = (change.addTags ?? [], nil)
        }
        if dropsLinks {
            if change.removeLinks != nil { throw Self.usage("--no-links and --unlink cannot be combined") }
            (change.links, change.addLinks) = (change.addLinks ?? [], nil)
        }
        if dropsBlockers {
            if change.removeBlockedBy != nil {
                throw Self.usage("--no-blocked-by and --unblocked-by cannot be combined")
            }
            (change.blockedBy, change.addBlockedBy) = (change.addBlockedBy ?? [], nil)
        }
        if change.before != nil, change.after != nil {
            throw Self.usage("--before and --after cannot be combined")
        }
        if change.parent != nil, change.before != nil || change.after != nil {
            throw Self.usage(
                "--parent cannot be combined with --before and --after, which name a subtask of it")
        }
        change.details.setTimeZone(session)
        return change
    }

    /// Opens the editor with all fields of one item.
    private func edit(_ session: Session) throws(ClientError) {
        guard let id = items.one else {
            throw Self.usage("'edit' of several items needs something to change, such as --category")
        }
        guard let editor = Editor.preferred else {
            throw Self.usage("'edit' needs something to change, such as --due, or an editor: set EDITOR")
        }
        let editing = ItemEditing(session: session, category: category, mayBePast: change.past)
        guard let reply = try editing.run(id, editor: editor) else {
            if session.wantsJSON {
                let item = try session.daemon().call(GetItem.self, .init(id: id)).item
                _ = try session.printJSON(ItemList(items: [item]))
            } else {
                try Output.print("Nothing was changed.")
            }
            return
        }
        if try session.printJSON(reply) { return }
        let verb = reply.unchanged == nil ? "Changed" : "Nothing changed:"
        for item in reply.items { try Output.print("\(verb) \(session.line(for: item))") }
        if let note = reply.note { session.printNote(note) }
    }
}
