package import CivilTime
internal import Phrases

/// An item to import or export, independent of any store.
package struct ExchangeItem: Hashable, Sendable {
    /// The identifier that all programs use for the item.
    package var uid: String
    package var name: String
    package var notes: String?
    package var url: String?
    package var links: [LinkValue] = []
    /// The priority from 1, the highest, to 9, or 0 for none.
    package var priority: Int = 0
    /// The expected duration of the work in seconds.
    package var estimate: Int?
    /// The part of the work that is done, from 0 to 100.
    package var percent = 0
    package var category: String?
    /// The names of the tags, sorted.
    package var tags: [String] = []
    /// The identifier of the item of which this one is a subtask.
    package var parent: String?
    /// The order among the subtasks of the parent, or `nil` if it is unknown.
    package var position: Int?
    /// The identifiers of the items that have to be completed before this one, sorted.
    package var blockers: [String] = []
    package var due: Timestamp?
    /// The date or the floating time that `due` means, or `nil` for a moment.
    package var localDue: LocalTime?
    /// The time before which lists omit the item.
    package var start: Timestamp?
    package var localStart: LocalTime?
    package var isCompleted = false
    /// Whether the item was completed by cancelling it.
    package var isCancelled = false
    package var completedDate: Timestamp?
    /// Whether a completed task of a list is known to be over, and not only one occurrence of it.
    package var isSeriesCompleted = false
    package var createdDate: Timestamp?
    package var modifiedDate: Timestamp?
    package var isMuted = false
    package var snoozedUntil: Timestamp?
    /// The time up to which the user has seen the alerts, as another program or the snooze says.
    package var acknowledged: Timestamp?
    /// The rule of a repeating item, or `nil` if the item does not repeat.
    package var recurrence: RecurrenceRule?
    /// The first time of the rule, or `nil` if this is the due time. It is in UTC if `localDue` is set.
    package var recurrenceStart: Timestamp?
    /// The number of occurrences that have passed, or `nil` if it is unknown.
    package var occurrencesDone: Int?
    /// Whether the next occurrence is counted from the completion of this one.
    package var isAfterDone = false
    /// The occurrences that the rule has and the item does not, and those that only the item has, as in `ToDo`.
    package var excludedDates: [String] = []
    package var addedDates: [String] = []
    /// The occurrences with values of their own, in the order of their identifiers.
    package var occurrences: [OccurrenceValue] = []
    /// The completions of past occurrences, the oldest first.
    package var history: [CompletionValue] = []
    /// The IANA name of the item's time zone.
    package var timeZone: String?
    /// The item's own lead times in seconds, or none if the default lead times apply.
    package var leads: [Int] = []
    /// The times of the alerts in addition to those of the lead times, in order.
    package var alerts: [AlarmTime] = []
    /// The text of an imported task that no other property has, in iCalendar.
    package var remainder: [UInt8]?

    /// Whether the name is kept exactly, with leading and trailing whitespace.
    package var hasExactName = false
    /// Whether the category is the first of the CATEGORIES of another program, which may have meant a tag.
    package var isCategoryGuessed = false
    /// Whether the item comes from a program without rules, lead times and muting, so that their values are unknown.
    package var isPartial = false
    /// Whether the recurrence of a partial item is known.
    package var isRecurrenceKnown = false
    /// The additions that the file does not have for the item, so that their values are unknown.
    package var missing: Set<Addition> = []
    /// Whether the item comes from a program that knows of snoozes.
    package var isSnoozeKnown = true
    /// Whether the item comes from a program with notes and priorities.
    package var hasNotesAndPriority = true

    /// A property that earlier versions and some other programs do not have. Its raw value is its name in JSON.
    package enum Addition: String, CaseIterable, Sendable {
        case tags, url, links, estimate, percent, start, alerts, history, parent, position, blockedBy,
            remainder,
            excludedDates, addedDates, occurrences

        /// The name of the property in the model.
        package var property: String {
            switch self {
            case .percent: "percentComplete"
            case .start: "startDate"
            case .alerts: "alarms"
            case .history: "completions"
            case .position: "place"
            case .blockedBy: "blockers"
            default: rawValue
            }
        }
    }

    /// The identifiers of the parent and the blockers, each once.
    package var relatedUIDs: Set<String> { Set(blockers).union([parent].compactMap(\.self)) }

    /// The name of an item that has none in its file.
    package static let missingName = "(no name)"

    package init(uid: String, name: String) {
        self.uid = uid
        self.name = name
    }

    /// Sets the tags to names of another program, as far as they can be names here.
    ///
    /// - Parameters:
    ///   - remarks: records the names that are changed or omitted.
    ///   - line: the line of the task in its file, or `nil` if it is unknown.
    package mutating func setTags(
        ofOtherProgram names: [String], _ remarks: inout TagRemarks, line: Int? = nil
    ) {
        var known: [String: String] = [:]
        for name in names {
            let isPlain = !name.contains { $0 == "," || $0.isControl }
            let words = name.split { $0.isWhitespace || $0 == "," || $0.isControl }
            let tag = TagName.plain(isPlain ? name : words.joined(separator: " "))
            var reason: TagRemarks.Reason?
            if !tag.isVisible {
                reason = .invisible
            } else if !ReminderModel.tagNameLengths.contains(tag.unicodeScalars.count) {
                reason = .tooLong
            } else if known.count == ReminderModel.tagsLimit, known[tag.lowercased()] == nil {
                reason = .tooMany
            } else {
                if tag != name.trimmed { reason = .changed }
                known[tag.lowercased()] = known[tag.lowercased()] ?? tag
            }
            if let reason { remarks.add(reason, name, becoming: tag, item: self.name, line: line) }
        }
        tags = known.values.sorted()
    }

    /// Copies the additions that the file does not have from `known`.
    package mutating func addMissing(from known: ExchangeItem) {
        for addition in missing {
            switch addition {
            case .tags: tags = known.tags
            case .url: url = known.url
            case .links: links = known.links
            case .estimate: estimate = known.estimate
            case .percent: percent = known.percent
            case .start: (start, localStart) = (known.start, known.localStart)
            case .alerts: alerts = known.alerts
            case .history: history = known.history
            case .parent: parent = known.parent
            case .position: break
            case .blockedBy: blockers = known.blockers
            case .remainder: remainder = known.remainder
            case .excludedDates: excludedDates = known.excludedDates
            case .addedDates: addedDates = known.addedDates
            case .occurrences: occurrences = known.occurrences
            }
        }
        // A position belongs to its parent.
        if missing.contains(.position), parent == known.parent { position = known.position }
        missing = []
    }

    /// Sets the moments that dates and floating times mean in a time zone.
    package mutating func setMomentsOfLocalTimes(in zone: TimeZoneRules) {
        if let localDue { due = localDue.moment(in: zone) }
        if localDue?.isDate == true, let civil = recurrenceStart.flatMap(TimeZoneRules.utc.civil) {
            recurrenceStart = LocalTime.date(civil.date).momentInUTC
        }
        if let localStart { start = localStart.firstMoment(in: zone) }
    }

    /// Sets the start.
    package mutating func setStart(_ time: CalendarTime?, in zone: TimeZoneRules) {
        start = time?.firstMoment(in: zone)
        localStart = time?.local
    }

    /// Sets the due time.
    package mutating func setDue(_ time: CalendarTime?, in zone: TimeZoneRules) {
        due = time?.moment(in: zone)
        localDue = time?.local
    }

    /// Sets the rule of a file with local times, and the zone that it is counted in. The due time must be set before.
    ///
    /// - Parameter start: the first time of the rule, or `nil` if this is the due time.
    package mutating func setRule(
        _ rule: RecurrenceRule, from start: Timestamp? = nil, isAfterDone: Bool = false,
        in zone: TimeZoneRules
    ) {
        recurrence = localDue.map { rule.withLocalEnd(in: zone, isDate: $0.isDate) } ?? rule
        recurrenceStart = start ?? ruleDue
        self.isAfterDone = isAfterDone
        timeZone = localDue != nil || TimeZoneRules(named: zone.name) == nil ? nil : zone.name
    }

    /// Returns the moment with which the rule of this item counts a time.
    package func ruleMoment(of time: CalendarTime, in zone: TimeZoneRules) -> Timestamp {
        let moment = time.moment(in: zone)
        guard localDue != nil else { return moment }
        return time.local?.momentInUTC ?? zone.civil(at: moment).map(TimeZoneRules.utc.moment) ?? moment
    }

    /// The due time with which the rule is counted.
    package var ruleDue: Timestamp? { localDue?.momentInUTC ?? due }

    /// The time of the rule of the open occurrence, or `nil` if that is the due time.
    var ruleTimeOfMovedOccurrence: CalendarTime? {
        guard let dueTime = CalendarTime(moment: due, local: localDue) else { return nil }
        return occurrences.first { !$0.isOver && $0.due == dueTime }
            .flatMap { CalendarTime(basicText: $0.recurrenceID) }
    }

    /// Copies the properties that a partial item does not have from `known`.
    package mutating func complete(from known: ExchangeItem) {
        if !isRecurrenceKnown {
            recurrence = known.recurrence
            recurrenceStart = known.recurrenceStart
            timeZone = known.timeZone
            (excludedDates, addedDates) = (known.excludedDates, known.addedDates)
            occurrences = known.occurrences
        }
        occurrencesDone = known.occurrencesDone
        isAfterDone = known.isAfterDone
        leads = known.leads
        isMuted = known.isMuted
        guard !hasNotesAndPriority else { return }
        notes = known.notes
        priority = known.priority
    }
}

extension ExchangeItem {
    /// A property for which iCalendar has no name. todod writes it under a name of its own.
    struct OwnProperty: Sendable {
        typealias Path<Value> = any WritableKeyPath<ExchangeItem, Value> & Sendable

        enum Value: Sendable {
            case text(Path<String?>)
            case flag(Path<Bool>)
            case number(Path<Int?>)
            case moment(Path<Timestamp?>)
        }

        /// The name in iCalendar, such as `X-TODOD-MUTED`.
        let name: String
        let value: Value
    }

    static let ownProperties = [
        OwnProperty(name: "X-TODOD-TIME-ZONE", value: .text(\.timeZone)),
        OwnProperty(name: "X-TODOD-AFTER-DONE", value: .flag(\.isAfterDone)),
        OwnProperty(name: "X-TODOD-OCCURRENCES-DONE", value: .number(\.occurrencesDone)),
        OwnProperty(name: "X-TODOD-MUTED", value: .flag(\.isMuted)),
        OwnProperty(name: "X-TODOD-SNOOZED-UNTIL", value: .moment(\.snoozedUntil)),
    ]
}
