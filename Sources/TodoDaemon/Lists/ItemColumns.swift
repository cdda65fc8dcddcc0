internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// A field of an item as the API names it, and the key of the model that it shows.
enum ItemField: String, CaseIterable {
    case id, uid, name, notes, priority, due, recurrence, every, afterDone, occurrencesDone, timeZone
    case completed, muted, category, categoryMuted, leads, snoozedUntil, nextAlert, lastAlert
    case createdAt, modifiedAt, completedAt

    var key: String {
        switch self {
        case .id, .uid, .name, .notes, .priority, .recurrence, .occurrencesDone, .timeZone, .completed,
            .snoozedUntil:
            rawValue
        case .due: "dueDate"
        case .every: "recurrence"
        case .afterDone: "repeatFromCompletion"
        case .muted: "doNotAlert"
        case .category: "category.name"
        case .categoryMuted: "category.doNotAlert"
        case .leads: "alarms.@count"
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

    /// Whether lists show it, and are ordered by it.
    var isListed: Bool {
        switch self {
        case .afterDone, .occurrencesDone, .timeZone, .leads: false
        default: true
        }
    }

    fileprivate static let listed = allCases.filter(\.isListed)

    /// What the API calls a property of the model.
    static func name(ofProperty property: String) -> String {
        if property == "alarms" { return "leads" }
        return allCases.first { $0.key == property }?.rawValue ?? property
    }

    /// What a list of items shows, and is ordered by: the field of that name.
    init(named name: some StringProtocol, in place: String) throws(APIError) {
        guard let field = Self(rawValue: String(name)), field.isListed else {
            let names = Self.listed.map(\.rawValue).joined(separator: ", ")
            throw .invalidValue(field: place, reason: "an item has no field '\(name)'; it has \(names)")
        }
        self = field
    }
}

/// What of an item is read from the store, and how it is written.
struct ItemColumns: Sendable {
    private let fields: [ItemField]
    private let names: JSONNames
    private let leadsPosition: Int?
    private let alertPositions: AlertPositions?

    /// Where that stands which tells whether an alert is held back.
    private struct AlertPositions {
        let point: Int
        let priority: Int
        let categoryMuted: Int

        /// Nil where some of it is not read.
        init?(_ fields: [ItemField]) {
            guard let point = fields.firstIndex(of: .nextAlert),
                let priority = fields.firstIndex(of: .priority),
                let categoryMuted = fields.firstIndex(of: .categoryMuted)
            else { return nil }
            self.point = point
            self.priority = priority
            self.categoryMuted = categoryMuted
        }
    }

    /// What one item shows that is asked for alone.
    static let all = ItemColumns(ItemField.allCases)

    private init(_ fields: [ItemField]) {
        self.fields = fields
        names = JSONNames(fields.map(\.rawValue))
        leadsPosition = fields.firstIndex(of: .leads)
        alertPositions = AlertPositions(fields)
    }

    /// Of a list those of `wanted`, and what every item has; nil stands for all that lists show.
    init(_ wanted: [String]? = nil) throws(APIError) {
        var chosen: Set<ItemField> = []
        for (index, name) in (wanted ?? []).enumerated() {
            chosen.insert(try ItemField(named: name, in: "fields[\(index)]"))
        }
        self.init(ItemField.listed.filter { wanted == nil || $0.isRequired || chosen.contains($0) })
    }

    var columns: [FetchColumn] { fields.map { .key($0.key) } }

    /// Whether the item of a row, in which all is, has leads of its own.
    func hasLeads(_ row: any StoreRow) -> Bool {
        leadsPosition.map { row.integer(at: $0) != 0 } ?? false
    }

    /// Until when the next alert of the item of a row, in which all is, is held back; nil when it comes at its time, or
    /// not at all.
    func end(ofHolding row: any StoreRow, _ outlook: @autoclosure () -> AlertOutlook) -> Timestamp? {
        guard let positions = alertPositions, let point = row.date(at: positions.point),
            row.integer(at: positions.categoryMuted) != 1
        else { return nil }
        return outlook().end(
            ofHolding: point, priority: Int16(clamping: row.integer(at: positions.priority) ?? 0))
    }

    /// Writes the JSON of an item, the same as `Item` writes, without making one: a list has many.
    ///
    /// - Parameters:
    ///   - leads: the item's own leads, which do not stand in its row.
    ///   - heldUntil: until when its next alert is held back.
    func write(
        _ row: some StoreRow, to writer: inout JSONWriter, clock: inout RFC3339.Clock, leads: [Int64] = [],
        heldUntil: Timestamp? = nil
    ) {
        writer.object { object in
            var rule: RecurrenceRule?
            for (position, field) in fields.enumerated() {
                switch field {
                case .afterDone where rule == nil, .timeZone where rule == nil,
                    .occurrencesDone where rule?.count == nil:
                    break
                case .uid, .name, .notes, .recurrence, .category, .timeZone:
                    _ = row.readText(at: position) { text in
                        object.name(position, of: names)
                        object.value(text: text)
                    }
                case .every:
                    guard case .string(let text) = row.value(at: position) else { break }
                    let known = RecurrenceRule(checked: text)
                    rule = known
                    object.name(position, of: names)
                    object.value(known.words)
                case .leads:
                    object.name(position, of: names)
                    object.array { array in for lead in leads { array.value(lead) } }
                case .id, .priority, .occurrencesDone:
                    guard let number = row.integer(at: position) else { break }
                    object.name(position, of: names)
                    object.value(number)
                case .categoryMuted:
                    guard row.integer(at: position) == 1 else { break }
                    object.name(position, of: names)
                    object.value(true)
                case .completed, .muted, .afterDone:
                    guard let flag = row.integer(at: position) else { break }
                    object.name(position, of: names)
                    object.value(flag != 0)
                case .due, .snoozedUntil, .nextAlert, .lastAlert, .createdAt, .modifiedAt, .completedAt:
                    guard let moment = row.date(at: position) else { break }
                    object.name(position, of: names)
                    object.value(ofAtMost: RFC3339.mostBytes) { clock.write(moment, to: $0) }
                    if field == .nextAlert, let heldUntil {
                        object.name("heldUntil")
                        object.value(ofAtMost: RFC3339.mostBytes) { clock.write(heldUntil, to: $0) }
                    }
                }
            }
        }
    }
}
