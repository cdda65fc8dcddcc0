internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

extension ItemField {
    /// The key path of the field in the model.
    var key: String {
        switch self {
        case .due: "dueDate"
        case .start: "startDate"
        case .every: "recurrence"
        case .afterDone: "repeatFromCompletion"
        case .cancelled: "isCancelled"
        case .muted: "doNotAlert"
        case .category: "category.name"
        case .categoryMuted: "category.doNotAlert"
        case .leads, .alerts: "alarms.@count"
        case .tags: "tags.name"
        case .links: "links.@count"
        case .position: "place"
        case .children: "children.@count"
        case .childrenDone: "children.completed"
        case .blockedBy: "blockers.id"
        case .blocks: "blockedItems.id"
        case .blocked: "blockers.completed"
        case .percent: "percentComplete"
        // `heldUntil` is computed from the next alert time and other values.
        case .nextAlert, .heldUntil: "nextAlertDate"
        case .lastAlert: "lastAlertDate"
        case .createdAt: "createdDate"
        case .modifiedAt: "modifiedDate"
        case .completedAt: "completedDate"
        default: rawValue
        }
    }

    /// The key of the dates and the floating times of the field, or `nil` if it is always a moment.
    var localKey: String? {
        switch self {
        case .due: "dueLocal"
        case .start: "startLocal"
        default: nil
        }
    }

    /// The column of the field in a row.
    var column: FetchColumn {
        switch self {
        case .tags, .childrenDone, .blockedBy, .blocks, .blocked: .values(key)
        default: .key(key)
        }
    }

    /// Whether only items with subtasks have a value of the field.
    var needsChildren: Bool { self == .children || self == .childrenDone }

    /// The fields that are needed to write this one.
    var needed: [ItemField] {
        switch self {
        case .afterDone, .occurrencesDone: [.every]
        // The words of a rule show times in the zone of the item, and depend on the day when it is due.
        case .every: [.due, .timeZone]
        case .timeZone: [.every, .due]
        case .heldUntil: [.nextAlert, .priority, .categoryMuted]
        default: []
        }
    }

    /// Returns the name in the API of a property of the model.
    static func name(ofProperty property: String) -> String {
        if property == "alarms" { return "leads" }
        if property == "blockers" { return "blockedBy" }
        return allCases.first { $0.key == property || $0.localKey == property }?.rawValue ?? property
    }

    /// Finds the field with this name. Throws an error that names `place` if `fields` does not contain it.
    init(named name: some StringProtocol, in place: String, among fields: [ItemField]) throws(APIError) {
        guard let field = Self(rawValue: String(name)), fields.contains(field) else {
            let names = fields.map(\.rawValue).joined(separator: ", ")
            let nearest = Self.nearest(to: String(name), among: fields)
            let known = Self(rawValue: String(name)) != nil
            throw .invalidValue(
                field: place,
                reason: known
                    ? "'\(name)' is not one of \(names)"
                    : "an item has no field '\(name)'; "
                        + (nearest.map { "did you mean '\($0)'?" } ?? "it has \(names)"))
        }
        self = field
    }

    /// Returns the field that was probably meant by `dueDate`, `prio` or `DUE`, or `nil` if none is near.
    static func nearest(to name: String, among fields: [ItemField]) -> String? {
        let names = fields.map(\.rawValue)
        if let property = fields.first(where: { $0.key.lowercased() == name.lowercased() }) {
            return property.rawValue
        }
        if let near = names.first(where: { $0.lowercased() == name.lowercased() })
            ?? EditDistance.nearest(to: name, among: names)
        {
            return near
        }
        // Short words such as `dew` differ in too many of their letters.
        let similar = names.filter { $0.count == name.count && $0.first == name.first }
        return similar.count == 1 ? similar[0] : nil
    }

    /// Finds a field by which a list can be ordered.
    init(orderedBy name: some StringProtocol, in place: String) throws(APIError) {
        try self.init(named: name, in: place, among: Self.listed)
    }
}

extension ToDo {
    /// The text of a field that is stored as it is.
    subscript(_ text: ItemField.PlainText) -> String? {
        get {
            do {
                return String?(attributeValue: try value(of: text.field.key)) ?? nil
            } catch {
                preconditionFailure("\(error)")
            }
        }
        set {
            do {
                try setValue(newValue.attributeValue, of: text.field.key)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    /// A number that is stored as it is, or `nil` for 0. An optional property has no value for 0.
    subscript(_ number: ItemField.PlainNumber) -> Int64? {
        get {
            do {
                let stored = Int64?(attributeValue: try value(of: number.field.key)) ?? nil
                return stored == 0 ? nil : stored
            } catch {
                preconditionFailure("\(error)")
            }
        }
        set {
            let column = entity.column(named: number.field.key)
            let isOptional = column.map { entity.columns[$0].isOptional } ?? false
            let stored = newValue ?? 0
            do {
                try setValue(stored == 0 && isOptional ? .null : .integer(stored), of: number.field.key)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    /// The approximate size of the texts of the item.
    var textBytes: Int {
        ItemField.plainTexts.reduce(name.utf8.count) { $0 + (self[$1]?.utf8.count ?? 0) }
            + (remainder?.count ?? 0)
            + links.reduce(0) { $0 + $1.url.utf8.count + ($1.title?.utf8.count ?? 0) }
    }
}
