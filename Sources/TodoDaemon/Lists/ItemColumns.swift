internal import CivilTime
internal import ObjectStore
internal import TodoAPI
internal import Varlink

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
    private let names: [JSONName]

    /// Those of `wanted`, and what every item has; nil stands for all.
    init(_ wanted: [String]? = nil) throws(APIError) {
        var chosen: Set<ItemField> = []
        for (index, name) in (wanted ?? []).enumerated() {
            chosen.insert(try ItemField(named: name, in: "fields[\(index)]"))
        }
        fields = ItemField.allCases.filter { wanted == nil || $0.isRequired || chosen.contains($0) }
        names = fields.map { JSONName($0.rawValue) }
    }

    var columns: [FetchColumn] { fields.map { .key($0.key) } }

    /// Writes the JSON of an item, the same as `Item` writes, without making one: a list has many.
    func write(_ row: FetchedRow, to writer: inout JSONWriter, zone: TimeZoneRules) {
        writer.object { object in
            for (name, value) in zip(names, row.values) where !value.isNull {
                object.name(name)
                switch value {
                case .integer(let number): object.value(number)
                case .string(let text): object.value(text)
                case .boolean(let flag): object.value(flag)
                case .date(let moment): moment.write(to: &object, zone: zone)
                default: object.null()
                }
            }
        }
    }
}
