internal import ObjectStore

/// Descriptions of changes, which the user reads after "undone:".
enum ChangeWords {
    private static let nameLengthLimit = 60

    /// Returns the description of a change: `deleted 'Pay the rent'`, `completed 3 items`, or
    /// `renamed the category 'Home' to 'House'`.
    static func text(_ method: String, _ record: ChangeRecord) -> String {
        let items = pairs(record, ToDo.entityName)
        let categories = pairs(record, Category.entityName)
        let tags = pairs(record, Tag.entityName)
        switch method {
        // todod 0.1 recorded edits of one item as UpdateItem.
        case "UpdateItems", "UpdateItem": return edit(of: items, record)
        case "MuteItems":
            let isMuted = items.first?.after?["doNotAlert"] == .boolean(true)
            return "\(isMuted ? "muted" : "unmuted") \(names(items))"
        case "SnoozeItems":
            let isSnoozed = items.first?.after?["snoozedUntil"] ?? .null != .null
            return isSnoozed ? "snoozed \(names(items))" : "ended the snooze of \(names(items))"
        case "AddCategory", "UpdateCategory", "DeleteCategory": return categoryText(categories)
        case "UpdateTag", "DeleteTag": return tagText(tags)
        case "AddView", "UpdateView", "DeleteView": return viewText(pairs(record, SavedView.entityName))
        case "Import":
            let parts = [
                count(items, singular: "item", plural: "items"),
                count(categories, singular: "category", plural: "categories"),
                count(tags, singular: "tag", plural: "tags"),
            ].compactMap(\.self)
            return "imported " + sentence(parts)
        case "DeleteItems", "UpdateSyncList":
            // The items that waited for a deleted one are changed, too.
            let deleted = items.filter { $0.after == nil || $0.before == nil }
            return "deleted \(names(deleted))"
        default: return "\(verbs[method] ?? "changed") \(names(items))"
        }
    }

    /// Returns the user's name of each property, where `alarms` means the alerts: `due time`, `notes`.
    static func phrases(of properties: [String]) -> [String] {
        var phrases: [String] = []
        // A rule is stored in several properties.
        for phrase in properties.map(phrase) where !phrases.contains(phrase) { phrases.append(phrase) }
        return phrases
    }

    /// Returns a list such as `its due time and its notes`.
    static func list(_ phrases: [String], before word: String) -> String {
        sentence(phrases.map { "\(word) \($0)" })
    }

    private static func sentence(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.joined() }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }

    static func quoted(_ name: String) -> String {
        name.count > nameLengthLimit ? "'\(name.prefix(nameLengthLimit))…'" : "'\(name)'"
    }

    // MARK: - Inside

    private typealias Pair = (before: ObjectSnapshot?, after: ObjectSnapshot?)

    private static let verbs = [
        "AddItem": "added", "ResolveSyncConflict": "restored", "CompleteItems": "completed",
        "ReopenItems": "reopened",
        "SkipItems": "skipped",
    ]

    private static func pairs(_ record: ChangeRecord, _ entity: String) -> [Pair] {
        record.names.filter { $0.entity == entity }.map { (record.before[$0], record.after[$0]) }
    }

    private static func count(_ pairs: [Pair], singular one: String, plural many: String) -> String? {
        pairs.isEmpty ? nil : "\(pairs.count) \(pairs.count == 1 ? one : many)"
    }

    private static func name(_ pair: Pair?) -> String {
        quoted((pair?.before ?? pair?.after)?.text("name") ?? "")
    }

    private static func names(_ items: [Pair]) -> String {
        items.count == 1 ? name(items.first) : "\(items.count) items"
    }

    private static func edit(of items: [Pair], _ record: ChangeRecord) -> String {
        var properties: [String] = []
        for item in items {
            guard let before = item.before, let after = item.after else { return "changed \(names(items))" }
            properties += after.differences(from: before).filter { !properties.contains($0) }
        }
        if properties == ["name"], items.count == record.names.count {
            return "renamed \(names(items)) to \(quoted(items.first?.after?.text("name") ?? ""))"
        }
        properties += ChangeReplay.parts.filter { part in record.names.contains { $0.entity == part.key } }
            .map(\.value).sorted()
        let phrases = phrases(of: properties)
        return "changed \(list(phrases, before: "the")) of \(names(items))"
    }

    private static func categoryText(_ categories: [Pair]) -> String {
        guard let category = categories.first else { return "changed a category" }
        let name = "the category \(name(category))"
        guard let before = category.before else { return "added \(name)" }
        guard let after = category.after else { return "deleted \(name)" }
        if before.text("name") != after.text("name") {
            return "renamed \(name) to \(quoted(after.text("name")))"
        }
        return "\(after["doNotAlert"] == .boolean(true) ? "muted" : "unmuted") \(name)"
    }

    private static func tagText(_ tags: [Pair]) -> String {
        guard let tag = tags.first else { return "changed a tag" }
        let name = "the tag \(name(tag))"
        guard let after = tag.after else { return "deleted \(name)" }
        return "renamed \(name) to \(quoted(after.text("name")))"
    }

    private static func viewText(_ views: [Pair]) -> String {
        guard let view = views.first else { return "changed a view" }
        let name = "the view \(name(view))"
        guard let before = view.before else { return "added \(name)" }
        guard let after = view.after else { return "deleted \(name)" }
        if before.text("name") == after.text("name") { return "changed \(name)" }
        return "renamed \(name) to \(quoted(after.text("name")))"
    }

    private static func phrase(of property: String) -> String {
        switch property {
        case "dueDate", "dueLocal": "due time"
        case "startDate", "startLocal": "start"
        case "completed", "isCancelled": "state"
        case "doNotAlert": "muting"
        case "snoozedUntil": "snooze"
        case "alarms": "alerts"
        case "lastAlertDate": "last alert"
        case "createdDate": "time of creation"
        case "modifiedDate": "time of change"
        case "completedDate": "time of completion"
        case "recurrence", "recurrenceStart", "occurrencesDone", "repeatFromCompletion", "excludedDates",
            "addedDates", "occurrences":
            "rule"
        case "percentComplete": "progress"
        case "children": "subtasks"
        case "blockedItems": "blocked items"
        case "place": "position"
        case "url": "URL"
        case "remainder": "imported text"
        case "timeZone": "time zone"
        default: property
        }
    }
}
