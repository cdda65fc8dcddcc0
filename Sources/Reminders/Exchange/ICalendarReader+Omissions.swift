internal import CLibical
internal import CivilTime

// Every part of a task that an item does not have leads to a remark or to a line of the sums.

extension ICalendarReader {
    /// The properties that a task has once at most.
    private static let singleProperties: Set = [
        "UID", "SUMMARY", "DESCRIPTION", "URL", "PRIORITY", "STATUS", "PERCENT-COMPLETE", "CLASS",
        "DUE", "DTSTART", "DURATION", "COMPLETED", "CREATED", "LAST-MODIFIED",
        "X-TODOD-UID", "X-TODOD-SUMMARY", "X-TODOD-DESCRIPTION", "X-TODOD-CATEGORIES", "X-TODOD-DUE",
        "X-TODOD-DTSTART", "X-TODOD-START", "X-TODOD-RRULE", "X-TODOD-RULE-DUE", "X-TODOD-RECURRENCE-START",
        "X-TODOD-TIME-ZONE",
        "X-TODOD-CLOCK",
        "X-TODOD-AFTER-DONE", "X-TODOD-OCCURRENCES-DONE", "X-TODOD-COMPLETED", "X-TODOD-MUTED",
        "X-TODOD-SNOOZED-UNTIL", ICalendarWriter.ownLeads, ICalendarWriter.ownStartLeads, "X-TODOD-TAGS",
        "X-TODOD-PERCENT", "ESTIMATED-DURATION",
        ICalendarWriter.seriesCompleted,
    ]
    /// The other properties that are imported, or that have remarks of their own.
    private static let otherProperties: Set = [
        "ATTACH", "CATEGORIES", "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "RELATED-TO",
    ]
    /// The properties that describe the state of the file.
    private static let fileProperties: Set = ["DTSTAMP", "SEQUENCE"]
    /// The properties that items do not have, with the values that add nothing to the other properties.
    private static let defaultValues = [
        "CLASS": ["PUBLIC"], "STATUS": ["NEEDS-ACTION", "COMPLETED", "CANCELLED"],
    ]
    /// The properties of an alarm that are imported, or that only identify the alarm.
    private static let alarmProperties: Set = ["TRIGGER", "UID", "X-WR-ALARMUID", "X-TODOD-ALERT"]

    /// Records every property of a task and of its alarms that is not imported.
    mutating func remarkOnOmissions(
        of task: ICalendarTask, _ part: ICalendarPart, _ item: ExchangeItem, beside kept: Set<String>,
        _ remark: (String) -> Remark
    ) {
        var counts: [String: Int] = [:]
        var lostNames: Set<String> = []
        for property in part.properties {
            guard let value = property.value else {
                remarks.append(
                    remark("'\(item.name)': the line '\(property.name)' is not a property, and is omitted"))
                continue
            }
            if value.isEmpty { continue }
            if property.component == nil {
                counts[property.name, default: 0] += 1
            } else if let lost = Self.lostName(ofAlarm: property, beside: part.writtenValue("SUMMARY")) {
                lostNames.insert("\(lost) of the alarms")
            }
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            if Self.singleProperties.contains(name) {
                guard count > 1 else { continue }
                remarks.append(
                    remark(
                        "'\(item.name)': it has \(count) \(name) properties, and the first valid one is imported"
                    ))
            } else if !Self.otherProperties.contains(name), !Self.fileProperties.contains(name) {
                lostNames.insert(name)
            }
        }
        for (name, defaults) in Self.defaultValues {
            if let value = part.writtenValue(name), !value.isEmpty, !defaults.contains(value.uppercased()),
                // An export writes this state of an open item of which a part is done.
                item.percent == 0 || value.uppercased() != "IN-PROCESS"
            {
                lostNames.insert(name)
            }
        }
        if task.hasAlarmWithoutTrigger { lostNames.insert("VALARM without TRIGGER") }
        lostNames.formUnion(lostTimes(of: task, item))
        for name in lostNames {
            if kept.contains(name) { self.kept[name, default: 0] += 1 } else { lost[name, default: 0] += 1 }
        }
        remarkOnUnreadableProperties(of: task, part, item, beside: kept, remark)
    }

    /// Keeps the parts of a task that its item cannot express.
    ///
    /// - Returns: the names of the kept properties and components.
    mutating func keepText(
        of part: ICalendarPart, into item: inout ExchangeItem, _ remark: (String) -> Remark
    ) -> Set<String> {
        let own = ICalendarWriter(now: Timestamp(secondsSince1970: 0), timeOfDates: defaultTime, use: use)
            .task(item)
        let result = ICalendarKeptText.parts(
            of: part.text, beside: own, skipping: ["VALARM", "VTODO"], keepsTimes: item.occurrences.isEmpty)
        item.remainder = result.text.map { Array($0.utf8) }
        // A file of todod has every property that the item has.
        let isComplete = scanner.isOwn || use == .list
        if isComplete {
            item.missing = []
        } else if item.remainder == nil {
            item.missing.insert(.remainder)
        }
        item.isSnoozeKnown = isComplete || item.snoozedUntil != nil
        if part.hasNUL { remarks.append(remark("'\(item.name)': its NUL characters are omitted")) }
        if !result.unreadable.isEmpty {
            let names = Set(result.unreadable).sorted().joined(separator: ", ")
            remarks.append(remark("'\(item.name)': \(names) with control characters omitted"))
        }
        if !result.tooLarge.isEmpty {
            let names = Set(result.tooLarge).sorted().joined(separator: ", ")
            remarks.append(
                remark(
                    "'\(item.name)': \(names) omitted, as an item keeps at most \(ICalendarKeptText.bytesLimit) bytes"
                ))
        }
        return result.kept
    }

    /// Returns the name of an alarm's property that is not imported, or `nil` if nothing is lost.
    private static func lostName(ofAlarm property: ICalendarProperty, beside summary: String?) -> String? {
        let value = property.value ?? ""
        switch property.name {
        case _ where alarmProperties.contains(property.name): return nil
        case "ACTION": return ["DISPLAY", "NONE"].contains(value.uppercased()) ? nil : "ACTION:\(value)"
        case "DESCRIPTION" where value == summary: return nil
        // There is a remark of its own about an alarm for a place.
        case "X-APPLE-PROXIMITY", "PROXIMITY": return nil
        case "REPEAT" where Int(value) == 0: return nil
        default: return property.name
        }
    }

    /// Returns the names of the times that are not used.
    private func lostTimes(of task: ICalendarTask, _ item: ExchangeItem) -> Set<String> {
        let due = moment(task, ICAL_DUE_PROPERTY)
        let start = moment(task, ICAL_DTSTART_PROPERTY)
        var names: Set<String> = []
        // A repeating item keeps the start as the time from which its rule counts.
        if item.recurrence == nil, item.start == nil, let due, let start, start != due {
            names.insert("DTSTART")
        }
        if let duration = task.duration, due != nil || start == nil || duration < 0 {
            names.insert("DURATION")
        }
        return names
    }

    private mutating func remarkOnUnreadableProperties(
        of task: ICalendarTask, _ part: ICalendarPart, _ item: ExchangeItem, beside kept: Set<String>,
        _ remark: (String) -> Remark
    ) {
        // These are not read from libical, or have remarks of their own.
        let known = [
            "RRULE", "RDATE", "EXDATE", "DUE", "DTSTART", "CATEGORIES", "URL", "ATTACH", "ESTIMATED-DURATION",
            "PERCENT-COMPLETE",
        ]
        let names =
            task.unreadableNames.filter { !known.contains($0) && !kept.contains($0) }
            + Self.singleProperties.intersection(part.properties.map(\.name)).sorted().filter { name in
                task.own(name).map { isReadable($0, ofOwn: name) } == false
            }
        for name in names {
            remarks.append(remark("'\(item.name)': its \(name) cannot be read, and is omitted"))
        }
    }

    /// Whether a value of a property that only todod writes can be read.
    private func isReadable(_ value: String, ofOwn name: String) -> Bool {
        switch name {
        case "X-TODOD-DUE", "X-TODOD-DTSTART", "X-TODOD-START", "X-TODOD-RECURRENCE-START",
            "X-TODOD-COMPLETED",
            "X-TODOD-SNOOZED-UNTIL":
            moment(value) != nil
        case "X-TODOD-UID", "X-TODOD-SUMMARY", "X-TODOD-DESCRIPTION", "X-TODOD-CATEGORIES":
            ICalendarExactText.readWithOptionalQuotes(value) != nil
        case "X-TODOD-PERCENT": Int(value).map { (0...100).contains($0) } ?? false
        case "X-TODOD-OCCURRENCES-DONE": UInt32(value) != nil && Int32(value) != nil
        case ICalendarWriter.ownLeads, ICalendarWriter.ownStartLeads:
            value.split(separator: "/").allSatisfy { Int32($0) != nil }
        case "X-TODOD-TAGS": Self.tags(in: value) != nil
        case "X-TODOD-MUTED", "X-TODOD-AFTER-DONE": value == "TRUE"
        case "X-TODOD-CLOCK": value == "LOCAL"
        default: true
        }
    }
}
