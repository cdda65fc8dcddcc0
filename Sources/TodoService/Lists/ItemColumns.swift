internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The columns that a list reads, and how each row is encoded as JSON.
struct ItemColumns: Sendable {
    /// The fields that are read, including those that only other fields need.
    private let fields: [ItemField]
    /// How each of these fields is written.
    private let forms: [Form]
    private let shown: Set<ItemField>
    private let names: JSONNames
    /// The position of the number of alarms.
    private let alarmsPosition: Int?
    private let linksPosition: Int?
    /// Whether the store may have tags.
    private var hasTags = true
    /// Whether the store may have subtasks.
    private var hasChildren = true
    private let alertPositions: AlertPositions?
    /// The positions of the columns on which the words of a rule depend.
    private let rulePositions: (due: Int?, timeZone: Int?)
    /// The keys of dates and floating times. Their columns follow those of the fields.
    private let localKeys: [String]
    private let localDuePosition: Int?

    /// How the value of a column is written.
    private enum Form {
        case notShown
        case text, number, flag, moment
        /// A moment, or the date or the floating time that it means, which is in a column of its own.
        case time(local: Int)
        /// A flag that is written only if it is true.
        case setFlag
        /// A number that is written only if it is not 0.
        case setNumber
        case leads, alerts, links
        /// The tags, which are a JSON array in the row.
        case tags
        /// The numbers of items, which are a JSON array in the row.
        case items
        /// The number of true flags in a JSON array. It is written only if the array is not empty.
        case countOfTrue
        /// Whether a JSON array has a false flag. It is written only if that is so.
        case hasFalse
        /// The rule in words. If it is not shown, other fields need it.
        case words(isShown: Bool)
        /// A value that only a repeating item has.
        case flagOfRule, textOfRule
        /// A number that only an item has whose rule has a count.
        case numberOfCount
        /// The next alert time, followed by the time until which it is delayed.
        case nextAlert(isShown: Bool)

        init(_ field: ItemField, isShown: Bool, local: Int?) {
            switch field {
            case .every: self = .words(isShown: isShown)
            case .nextAlert: self = .nextAlert(isShown: isShown)
            case _ where !isShown: self = .notShown
            case .afterDone: self = .flagOfRule
            case .timeZone: self = .textOfRule
            case .occurrencesDone: self = .numberOfCount
            case .categoryMuted, .cancelled: self = .setFlag
            case .children: self = .setNumber
            case .childrenDone: self = .countOfTrue
            case .blocked: self = .hasFalse
            default:
                switch field.traits.property {
                case .text, .optionalText: self = .text
                case .number, .optionalNumber: self = .number
                case .flag, .optionalFlag: self = .flag
                case .moment: self = .moment
                case .time: self = local.map { .time(local: $0) } ?? .moment
                case .duration, .percentage: self = .setNumber
                case .numbers: self = .leads
                case .alertTimes: self = .alerts
                case .items: self = .items
                case .links: self = .links
                case .texts: self = .tags
                }
            }
        }
    }

    /// The positions of the columns that decide whether the next alert is delayed.
    private struct AlertPositions {
        let nextAlert: Int
        let priority: Int
        let categoryMuted: Int

        /// Returns `nil` if one of them is not read.
        init?(_ fields: [ItemField]) {
            guard let nextAlert = fields.firstIndex(of: .nextAlert),
                let priority = fields.firstIndex(of: .priority),
                let categoryMuted = fields.firstIndex(of: .categoryMuted)
            else { return nil }
            self.nextAlert = nextAlert
            self.priority = priority
            self.categoryMuted = categoryMuted
        }
    }

    /// The name of an item whose name another program has removed.
    static let placeholderName = "(no name)"

    /// The columns of a single item that is requested alone.
    static let all = ItemColumns(showing: Set(ItemField.allCases))

    /// The fields that every item in a list has.
    private static let required = Set(ItemField.allCases.filter(\.traits.property.isRequired))

    private init(showing shown: Set<ItemField>) {
        let read = shown.union(shown.flatMap(\.needed))
        let fields = ItemField.allCases.filter { read.contains($0) && $0 != .heldUntil }
        self.fields = fields
        let withLocal = fields.filter { $0.localKey != nil }
        let localPosition = { (field: ItemField) in withLocal.firstIndex(of: field).map { fields.count + $0 }
        }
        forms = fields.map { Form($0, isShown: shown.contains($0), local: localPosition($0)) }
        localKeys = withLocal.compactMap(\.localKey)
        localDuePosition = localPosition(.due)
        self.shown = shown
        names = JSONNames(fields.map(\.rawValue))
        alarmsPosition = fields.firstIndex { $0 == .leads || $0 == .alerts }
        linksPosition = fields.firstIndex(of: .links)
        alertPositions = AlertPositions(fields)
        rulePositions = (fields.firstIndex(of: .due), fields.firstIndex(of: .timeZone))
    }

    /// Creates the columns of a list: the fields `wanted` and those that every item has.
    ///
    /// If `wanted` is `nil`, it has all fields that lists show.
    init(_ wanted: [String]? = nil) throws(APIError) {
        guard let wanted else {
            self.init(showing: Set(ItemField.listed))
            return
        }
        var chosen = Self.required
        for (index, name) in wanted.enumerated() {
            chosen.insert(try ItemField(named: name, in: "fields[\(index)]", among: ItemField.allCases))
        }
        self.init(showing: chosen)
    }

    /// Returns the columns for the present state of a store. If it has no tags or no subtasks, they are not searched for each
    /// item.
    func fitting(_ store: ItemStore) throws -> ItemColumns {
        var columns = self
        if shown.contains(.tags) { columns.hasTags = try store.hasTags }
        if shown.contains(where: \.needsChildren) { columns.hasChildren = try store.hasChildren }
        return columns
    }

    var showsAlarms: Bool { shown.contains(.leads) || shown.contains(.alerts) }
    var showsLinks: Bool { shown.contains(.links) }
    var showsHeldUntil: Bool { shown.contains(.heldUntil) }
    /// Whether rows do not contain all of the items.
    var needsParts: Bool { showsAlarms || showsLinks }

    var columns: [FetchColumn] {
        fields.map { isUnused($0) ? ItemField.id.column : $0.column } + localKeys.map { .key($0) }
    }

    /// Whether no item of the store has a value of the field.
    private func isUnused(_ field: ItemField) -> Bool {
        field == .tags && !hasTags || field.needsChildren && !hasChildren
    }

    /// The elements of a JSON array of flags.
    private static func flags(_ text: String) -> [Substring] {
        text.dropFirst().dropLast().split(separator: ",")
    }

    /// Whether the item has alarms of its own, which are shown.
    func hasAlarms(_ row: any StoreRow) -> Bool {
        alarmsPosition.map { row.integer(at: $0) != 0 } ?? false
    }

    /// Whether the item has links, which are shown.
    func hasLinks(_ row: any StoreRow) -> Bool {
        linksPosition.map { row.integer(at: $0) != 0 } ?? false
    }

    /// Whether the item repeats. The row must have all columns.
    func hasRule(_ row: any StoreRow) -> Bool {
        guard let position = fields.firstIndex(of: .every) else { return false }
        if case .string = row.value(at: position) { return true }
        return false
    }

    /// Returns the end of the quiet period that delays the next alert of a row, or `nil` if the alert is not delayed.
    ///
    /// The row must have all columns.
    func delayEnd(of row: any StoreRow, _ forecast: @autoclosure () -> AlertForecast) -> Timestamp? {
        guard let positions = alertPositions, let alertTime = row.date(at: positions.nextAlert),
            row.integer(at: positions.categoryMuted) != 1
        else { return nil }
        return forecast().delayEnd(
            ofAlertAt: alertTime, priority: Int16(clamping: row.integer(at: positions.priority) ?? 0))
    }

    /// Whether every item has a value in the column.
    private func isRequired(at position: Int) -> Bool { fields[position].traits.property.isRequired }

    /// Returns the date or the floating time in a column.
    private static func localTime(of row: some StoreRow, at position: Int) -> LocalTime? {
        guard case .string(let text) = row.value(at: position) else { return nil }
        return LocalTime(text)
    }

    /// Returns the words for the rule of a row.
    private func words(_ rule: RecurrenceRule, of row: some StoreRow, _ local: TimeZoneRules) -> String {
        var schedule = Schedule()
        schedule.rule = rule
        if let position = rulePositions.timeZone, case .string(let name) = row.value(at: position) {
            schedule.timeZone = name
        }
        let due = CalendarTime(
            moment: rulePositions.due.flatMap(row.date),
            local: localDuePosition.flatMap { Self.localTime(of: row, at: $0) })
        schedule.setDue(due, in: local)
        return schedule.words(in: local) ?? rule.text
    }

    /// Writes an item as JSON. The result is the same as that of `Item`, but no `Item` is created, because a list has
    /// many.
    ///
    /// - Parameters:
    ///   - parts: the item's own alarms and its links, which are not in its row.
    ///   - heldUntil: the end of the quiet period that delays its next alert.
    func write(
        _ row: some StoreRow, to writer: inout JSONWriter, clock: inout RFC3339.Clock,
        parts: ItemParts = .none,
        heldUntil: Timestamp? = nil
    ) {
        let local = clock.zone
        writer.object { object in
            var rule: RecurrenceRule?
            for (position, form) in forms.enumerated() {
                switch form {
                case .notShown: break
                case _ where isUnused(fields[position]) && fields[position].needsChildren: break
                case .flagOfRule where rule == nil, .textOfRule where rule == nil,
                    .numberOfCount where rule?.count == nil:
                    break
                case .words(let isShown):
                    guard case .string(let text) = row.value(at: position) else { break }
                    let known = RecurrenceRule(checked: text)
                    rule = known
                    guard isShown else { break }
                    object.name(position, of: names)
                    object.value(words(known, of: row, local))
                case .nextAlert(let isShown):
                    if isShown, let moment = row.date(at: position) {
                        object.name(position, of: names)
                        object.value(ofAtMost: RFC3339.mostBytes) { clock.write(moment, to: $0) }
                    }
                    if let heldUntil {
                        object.name("heldUntil")
                        object.value(ofAtMost: RFC3339.mostBytes) { clock.write(heldUntil, to: $0) }
                    }
                case .text, .textOfRule:
                    let isPresent = row.readText(at: position) { text in
                        object.name(position, of: names)
                        object.value(text: text)
                    }
                    // Another program may have removed a value that every item has.
                    if !isPresent, isRequired(at: position) {
                        object.name(position, of: names)
                        object.value(fields[position] == .name ? Self.placeholderName : "")
                    }
                case .leads:
                    object.name(position, of: names)
                    object.array { array in
                        for case .beforeDue(let seconds) in parts.alarms { array.value(Int64(seconds)) }
                    }
                case .alerts:
                    object.name(position, of: names)
                    object.array { array in
                        for time in parts.alarms where !time.isLead { array.value(time.text) }
                    }
                case .links:
                    object.name(position, of: names)
                    object.array { array in for link in parts.links { link.write(to: &array, zone: local) } }
                case .tags:
                    object.name(position, of: names)
                    if !hasTags || !row.readText(at: position, { object.value(json: $0) }) {
                        object.array { _ in }
                    }
                case .items:
                    object.name(position, of: names)
                    if !row.readText(at: position, { object.value(json: $0) }) { object.array { _ in } }
                case .countOfTrue:
                    guard case .string(let text) = row.value(at: position) else { break }
                    let flags = Self.flags(text)
                    guard !flags.isEmpty else { break }
                    object.name(position, of: names)
                    object.value(Int64(flags.count { $0 == "true" }))
                case .hasFalse:
                    guard case .string(let text) = row.value(at: position),
                        Self.flags(text).contains("false")
                    else { break }
                    object.name(position, of: names)
                    object.value(true)
                case .number, .numberOfCount:
                    guard let number = row.integer(at: position) ?? (isRequired(at: position) ? 0 : nil)
                    else {
                        break
                    }
                    object.name(position, of: names)
                    object.value(number)
                case .setNumber:
                    guard let number = row.integer(at: position), number != 0 else { break }
                    object.name(position, of: names)
                    object.value(number)
                case .setFlag:
                    guard row.integer(at: position) == 1 else { break }
                    object.name(position, of: names)
                    object.value(true)
                case .flag, .flagOfRule:
                    guard let flag = row.integer(at: position) ?? (isRequired(at: position) ? 0 : nil) else {
                        break
                    }
                    object.name(position, of: names)
                    object.value(flag != 0)
                case .time(let localPosition):
                    if let local = Self.localTime(of: row, at: localPosition) {
                        object.name(position, of: names)
                        object.value(local.text)
                        break
                    }
                    guard let moment = row.date(at: position) else { break }
                    object.name(position, of: names)
                    object.value(ofAtMost: RFC3339.mostBytes) { clock.write(moment, to: $0) }
                case .moment:
                    guard let moment = row.date(at: position) else { break }
                    object.name(position, of: names)
                    object.value(ofAtMost: RFC3339.mostBytes) { clock.write(moment, to: $0) }
                }
            }
        }
    }
}
