internal import CivilTime
internal import TodoAPI

/// The messages for errors of the daemon.
///
/// Each describes the failure, names the item or value, and suggests a command.
enum ErrorText {
    /// Returns the message for `error`.
    ///
    /// - Parameter method: the qualified name of the method that was called.
    static func text(for error: APIError, of method: String, words: TimeInWords) -> String {
        switch error {
        case .invalidMessage(let reason): "the daemon did not understand the message: \(reason)"
        case .invalidValue("within", let reason):
            """
            cannot use the time span: \(reason.oneLine())
            To list items due up to a day:  todoctl due friday
            """
        case .invalidValue("text", let reason) where method == Import.qualifiedName:
            "cannot import the file: \(reason.oneLine())"
        // The reason names the item.
        case .invalidValue("ids", let reason): "\(reason.oneLine()); nothing was changed"
        case .invalidValue(let field, let reason):
            "cannot use \(name(of: field)): \(reason.oneLine())"
        case .invalidDate(let field, let text, let reason, let similar):
            """
            cannot read the \(time(field)) '\(text.oneLine(bytesLimit: 80))': \(reason.oneLine())
            \(dateHint(similar ?? []))
            """
        case .pastDate(let field, let text, let understood, let item):
            """
            \(item.map { "item \($0): " } ?? "")the \(time(field)) '\(text.oneLine(bytesLimit: 80))' is in the past: \(words.moment(understood)), \
            \(words.distance(to: understood))\(field == "due" ? "\nTo accept it, add --past." : "")
            """
        case .invalidRecurrence(let text, let reason):
            "cannot use the rule '\(text.oneLine(bytesLimit: 80))': \(reason.oneLine())"
        case .invalidPredicate(let reason, _, _, _):
            """
            cannot read the predicate: \(reason.oneLine())
            Example: 'priority == 1 AND due < "friday"'. For the fields, see:  man todod-protocol
            """
        case .itemNotFound(let ids): notFound(ids, of: method)
        case .itemModified(let id, let modifiedAt):
            "item \(id) was changed after it was read, \(words.moment(modifiedAt)); nothing was changed now"
        case .categoryNotFound(let name, let similar):
            categoryNotFound(
                name, similar, isForItem: [AddItem.qualifiedName, UpdateItems.qualifiedName].contains(method))
        case .categoryExists(let name): "the category '\(name.oneLine())' already exists"
        case .nothingToUndo(let reason, let backup):
            reason.oneLine()
                + (backup.map { "\nThe store from before the change is kept in \($0.oneLine())" } ?? "")
        case .tagNotFound(let name, let similar): tagNotFound(name, similar)
        case .tagExists(let name): "the tag '\(name.oneLine())' already exists"
        case .viewNotFound(let name, let similar): viewNotFound(name, similar)
        case .viewExists(let name): "the view '\(name.oneLine())' already exists"
        case .syncAccountNotFound(let name, let similar):
            "there is no account '\(name.oneLine(bytesLimit: 80))'\(guess(similar))\nTo see all accounts:  todoctl sync"
        case .syncAccountExists(let name):
            """
            the account '\(name.oneLine())' already exists
            To give the new one another name, add --name, such as:  --name \(ShellWord.quoted("\(name)-2"))
            """
        case .syncListNotFound(let name, let similar):
            """
            there is no synchronized list '\(name.oneLine(bytesLimit: 80))'\(guess(similar))
            To see all lists:  todoctl sync
            """
        case .syncConflictNotFound(let id):
            "there is no conflict \(id)\nTo see all conflicts:  todoctl sync conflicts"
        case .serverProblem(let reason): lines(of: reason)
        case .undoConflict(let summary, let item, let name, _, let reason, let isTag):
            conflict(summary, item: item, name: name, reason: reason, isTag: isTag ?? false)
        case .storeFailure(let reason):
            "\(loss(of: method)): \(reason.oneLine())"
        case .tooLarge(let limit):
            "the items exceed the \(limit >> 20) MiB limit of a reply; nothing was changed\nSelect fewer items."
        case .tooSlow(let reason): "the answer ended too early: \(reason.oneLine())"
        case .tokenTooOld(let reason), .tokenNotFound(let reason):
            """
            cannot continue from the token: \(reason.oneLine())
            For a new token:  todoctl watch --json
            """
        case .noHistory(let reason): "cannot continue from a token: \(reason.oneLine())"
        case .interfaceNotFound, .methodNotFound:
            "the daemon does not know this method"
        case .invalidParameter(let field, let reason):
            "the daemon refuses \(field): \((reason ?? "").oneLine())"
        case .expectedMore: "the answer is too long for one reply"
        case .other(let name): "the daemon replied with the error \(name.oneLine(bytesLimit: 80))"
        }
    }

    /// Returns the user's name for a field.
    ///
    /// A user types `order[0]` as a key of `--sort`, and knows `items[3].name` from a file.
    private static func name(of field: String) -> String {
        if field.contains("."), !field.hasPrefix("links["), !field.hasPrefix("addLinks[") {
            return field.oneLine(bytesLimit: 80)
        }
        let names = [
            "order": "sort key", "where": "predicate", "leads": "option --lead", "alerts": "option --alert",
            "between": "option --between", "newName": "name",
            "afterDone": "option --after-done", "moveTo": "new category", "appendNotes": "added notes",
            "addTags": "option --tag", "removeTags": "option --untag", "links": "option --link",
            "addLinks": "option --link", "removeLinks": "option --unlink",
            "addBlockedBy": "option --blocked-by", "blockedBy": "option --blocked-by",
            "removeBlockedBy": "option --unblocked-by", "parent": "option --parent",
            "before": "option --before", "after": "option --after",
            "todod": "version", "since": "token", "passwordSource": "option --password-source",
        ]
        let name = String(field.prefix { $0 != "[" })
        return "the \(names[name] ?? ItemField(rawValue: name)?.phrase ?? field.oneLine(bytesLimit: 80))"
    }

    private static func dateHint(_ similar: [String]) -> String {
        if similar.isEmpty {
            return "Try 'tomorrow 9am', 'fri 15:30', 'in 20 minutes' or '2026-12-24 18:00'."
        }
        let guesses = similar.map { "'\($0.oneLine(bytesLimit: 80))'" }
        return "Did you mean \(guesses.joined(separator: " or "))?"
    }

    /// Returns `due time` or, for a method that has only one time, `time`.
    private static func time(_ field: String) -> String {
        field.hasPrefix("due") ? "due time" : "time"
    }

    /// Returns the consequence of a store failure for the user.
    private static func loss(of method: String) -> String {
        if method == Backup.qualifiedName { return "no copy was made" }
        return ServiceProgram.isReading(method)
            ? "the store cannot be read" : "nothing was changed"
    }

    private static func notFound(_ ids: [Int64], of method: String) -> String {
        let numbers = ids.map(String.init).joined(separator: ", ")
        let text = ids.count == 1 ? "there is no item \(numbers)" : "there are no items \(numbers)"
        return """
            \(text)\(ServiceProgram.isReading(method) ? "" : "; nothing was changed")
            To see all items:  todoctl list --all
            """
    }

    private static func conflict(
        _ summary: String, item: Int64?, name: String, reason: String, isTag: Bool
    ) -> String {
        let thing =
            (item.map { "item \($0)" } ?? (isTag ? "the tag" : "the category"))
            + (name.isEmpty ? "" : " '\(name.oneLine())'")
        return
            "cannot continue past '\(summary.oneLine())'; nothing was changed\nBecause of \(thing): \(reason.oneLine())."
    }

    /// Returns a part of a message such as `; did you mean 'Home'?`, or an empty string if there is no similar name.
    private static func guess(_ similar: [String]) -> String {
        let names = similar.map { "'\($0.oneLine(bytesLimit: 80))'" }.joined(separator: ", ")
        return similar.isEmpty ? "" : "; did you mean \(names)?"
    }

    /// Returns a text with its line breaks and with all other control characters escaped.
    static func lines(of text: String) -> String {
        text.split(separator: "\n").map { String($0).oneLine() }.joined(separator: "\n")
    }

    private static func tagNotFound(_ name: String, _ similar: [String]) -> String {
        return
            "there is no tag '\(name.oneLine(bytesLimit: 80))'\(guess(similar))\nTo see all tags:  todoctl tag list"
    }

    private static func viewNotFound(_ name: String, _ similar: [String]) -> String {
        return
            "there is no view '\(name.oneLine(bytesLimit: 80))'\(guess(similar))\nTo see all views:  todoctl view"
    }

    private static func categoryNotFound(_ name: String, _ similar: [String], isForItem: Bool) -> String {
        let text = "there is no category '\(name.oneLine(bytesLimit: 80))'"
        // Only a command for items can create the category. Other commands list, rename or delete an existing one.
        let hint =
            isForItem
            ? "\(similar.isEmpty ? "Create" : "Or create") it with --new-category, or with:  "
                + ShellWord.command("todoctl category add", operands: [name])
            : "To see all categories:  todoctl category list"
        return "\(text)\(guess(similar))\n\(hint)"
    }
}
