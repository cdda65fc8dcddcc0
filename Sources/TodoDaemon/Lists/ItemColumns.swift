internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// A field of an item as the API names it, and the key of the model that it shows.
enum ItemField: String, CaseIterable {
    case id, uid, name, notes, priority, due, recurrence, every, completed, muted, category, snoozedUntil
    case nextAlert, lastAlert, createdAt, modifiedAt, completedAt

    var key: String {
        switch self {
        case .id, .uid, .name, .notes, .priority, .recurrence, .completed, .snoozedUntil: rawValue
        case .due: "dueDate"
        case .every: "recurrence"
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

/// What of an item is read from the store, and how it is written.
struct ItemColumns: Sendable {
    private let fields: [ItemField]
    private let names: JSONNames
    /// Where a rule stands that is to be written in words.
    private let wordsPosition: Int?

    /// Those of `wanted`, and what every item has; nil stands for all.
    init(_ wanted: [String]? = nil) throws(APIError) {
        var chosen: Set<ItemField> = []
        for (index, name) in (wanted ?? []).enumerated() {
            chosen.insert(try ItemField(named: name, in: "fields[\(index)]"))
        }
        fields = ItemField.allCases.filter { wanted == nil || $0.isRequired || chosen.contains($0) }
        names = JSONNames(fields.map(\.rawValue))
        wordsPosition = fields.firstIndex(of: .every)
    }

    var columns: [FetchColumn] { fields.map { .key($0.key) } }

    /// Writes the JSON of an item, the same as `Item` writes, without making one: a list has many.
    func write(_ row: FetchedRow, to writer: inout JSONWriter, zone: TimeZoneRules) {
        writer.object { object in
            for (position, value) in row.values.enumerated() where !value.isNull {
                object.name(position, of: names)
                switch value {
                case .integer(let number): object.value(number)
                case .string(let text):
                    object.value(position == wordsPosition ? RecurrenceRule(checked: text).words : text)
                case .boolean(let flag): object.value(flag)
                case .date(let moment): moment.write(to: &object, zone: zone)
                default: object.null()
                }
            }
        }
    }
}
