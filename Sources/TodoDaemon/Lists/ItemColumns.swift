internal import CivilTime
internal import ObjectStore
internal import TodoAPI

/// A field of an item as the API names it, and the key of the model that it shows.
enum ItemField: String, CaseIterable {
    case id, uid, name, notes, priority, due, completed, muted, category, snoozedUntil, nextAlert, lastAlert
    case createdAt, modifiedAt, completedAt

    var key: String {
        switch self {
        case .id, .uid, .name, .notes, .priority, .completed, .snoozedUntil: rawValue
        case .due: "dueDate"
        case .muted: "doNotAlert"
        case .category: "category.name"
        case .nextAlert: "nextAlertDate"
        case .lastAlert: "lastAlertDate"
        case .createdAt: "createdDate"
        case .modifiedAt: "modifiedDate"
        case .completedAt: "completedDate"
        }
    }

    /// Whether every item that is shown has it, wanted or not.
    var isRequired: Bool {
        switch self {
        case .id, .uid, .name, .priority, .completed, .muted: true
        default: false
        }
    }

    /// What the API calls a property of the model.
    static func name(ofProperty property: String) -> String {
        if property == "alarms" { return "leads" }
        return allCases.first { $0.key == property }?.rawValue ?? property
    }

    /// What a list of items shows, and is ordered by: the field of that name.
    init(named name: some StringProtocol, in place: String) throws(APIError) {
        guard let field = Self(rawValue: String(name)) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidValue(field: place, reason: "an item has no field '\(name)'; it has \(names)")
        }
        self = field
    }
}

/// What of an item is read from the store, and how an item is made of it.
struct ItemColumns: Sendable {
    private let fields: [ItemField]

    /// Those of `wanted`, and what every item has; nil stands for all.
    init(_ wanted: [String]? = nil) throws(APIError) {
        guard let wanted else {
            fields = ItemField.allCases
            return
        }
        var fields = ItemField.allCases.filter(\.isRequired)
        for (index, name) in wanted.enumerated() {
            let field = try ItemField(named: name, in: "fields[\(index)]")
            if !fields.contains(field) { fields.append(field) }
        }
        self.fields = fields
    }

    var columns: [FetchColumn] { fields.map { .key($0.key) } }

    func item(_ row: FetchedRow) -> Item {
        var item = Item()
        for (position, field) in fields.enumerated() { item.set(field, row[position]) }
        return item
    }
}

extension Item {
    fileprivate mutating func set(_ field: ItemField, _ value: AttributeValue) {
        switch (field, value) {
        case (.id, .integer(let number)): id = number
        case (.uid, .string(let text)): uid = text
        case (.name, .string(let text)): name = text
        case (.notes, .string(let text)): notes = text
        case (.priority, .integer(let number)): priority = number
        case (.due, .date(let moment)): due = moment
        case (.completed, .boolean(let flag)): completed = flag
        case (.muted, .boolean(let flag)): muted = flag
        case (.category, .string(let text)): category = text
        case (.snoozedUntil, .date(let moment)): snoozedUntil = moment
        case (.nextAlert, .date(let moment)): nextAlert = moment
        case (.lastAlert, .date(let moment)): lastAlert = moment
        case (.createdAt, .date(let moment)): createdAt = moment
        case (.modifiedAt, .date(let moment)): modifiedAt = moment
        case (.completedAt, .date(let moment)): completedAt = moment
        default: break
        }
    }
}
