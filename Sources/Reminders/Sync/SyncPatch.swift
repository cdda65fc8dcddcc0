internal import CivilTime

/// A change of some properties in the text of a task. All other lines stay as they are.
struct SyncPatch {
    /// The properties with one value whose parameters, such as a language, stay when the value changes.
    private static let keepingParameters: Set = ["SUMMARY", "DESCRIPTION", "URL", "PRIORITY", "STATUS"]

    private let document: SyncDocument
    private let item: ExchangeItem
    /// The lines that todod would write for the task.
    private let groups: SyncGroups
    /// Whether todod repeats the due time by the rule of the start, so that it has other times than other programs.
    private let usesRuleOfStart: Bool
    private let format: SyncFormat
    private let modified: Timestamp

    /// - Parameter modified: the time at which the item was changed, or `nil` for now.
    init(
        _ text: String, of task: SyncTask, modified: Timestamp? = nil, _ format: SyncFormat
    ) throws(SyncTask.Failure) {
        self.modified = modified ?? format.now
        document = SyncDocument(text)
        item = task.item
        groups = task.groups
        usesRuleOfStart = task.remarks.contains { $0.hasSuffix(ICalendarReader.usesRuleOfStart) }
        self.format = format
        guard document.taskCount == 1 else {
            throw SyncTask.Failure(description: "its text cannot be changed safely")
        }
    }

    /// Returns the text with other lines for some groups.
    ///
    /// - Throws: a failure if the new text does not mean the desired lines.
    func applying(_ desired: [String: [ICalendarUnit]]) throws(SyncTask.Failure) -> String {
        guard !desired.isEmpty else { return document.text }
        var changed = document
        let isAboutAlarms = !SyncGroups.allAlarms.union([SyncGroups.times]).isDisjoint(with: desired.keys)
        for (name, units) in desired.sorted(by: { $0.key < $1.key }) {
            switch name {
            case _ where SyncGroups.allAlarms.contains(name): break
            case SyncGroups.changedTimes: changeChangedTimes(to: units, in: &changed)
            case SyncGroups.times:
                try changeTimes(to: units, in: &changed)
                keepAlarms(in: &changed)
            case _ where SyncGroups.sets.contains(name): changeSet(name, to: units, in: &changed)
            default: replace(name, with: units, in: &changed)
            }
        }
        if isAboutAlarms { changeAlarms(to: desired, in: &changed) }
        stamp(&changed)
        let text = described(changed)
        guard try isMeant(text, desired) else {
            throw SyncTask.Failure(description: "its text cannot express the change")
        }
        return text
    }

    /// Whether a new text means the desired lines in the groups that change, and the same as before in all others.
    private func isMeant(
        _ text: String, _ desired: [String: [ICalendarUnit]]
    ) throws(SyncTask.Failure) -> Bool {
        let result = try format.task(text).groups
        return result.names.union(groups.names).union(desired.keys).allSatisfy { name in
            let keys = desired[name]?.map(\.syncKey) ?? groups.keys(of: name)
            if result.keys(of: name).sorted() == keys.sorted() { return true }
            guard desired[name] == nil else { return false }
            // Alarms are counted from the times, and a changed time has the other properties of its task.
            return name == SyncGroups.changedTimes
                || desired[SyncGroups.times] != nil
                    && SyncGroups.allAlarms.contains(name)
        }
    }

    // MARK: - Properties

    private func indexes(of name: String, in document: SyncDocument) -> [Int] {
        document.units.filter { !$0.unit.isComponent && SyncGroups.name(of: $0.unit) == name }.map(\.index)
    }

    private func replace(_ name: String, with units: [ICalendarUnit], in document: inout SyncDocument) {
        let places = indexes(of: name, in: document)
        let written = places.compactMap { document.parts[$0].unit }
        document.replace(places, with: units.map { Self.keepingParameters($0, of: written) })
    }

    /// Returns a property with the parameters that the text has for it.
    private static func keepingParameters(
        _ unit: ICalendarUnit, of written: [ICalendarUnit]
    ) -> ICalendarUnit {
        let former = written.filter { $0.name == unit.name }.map(\.property)
        guard keepingParameters.contains(unit.name), former.count == 1,
            case let parameters = former[0].parameterText, !parameters.isEmpty,
            former[0].parameter("ENCODING") == nil, former[0].parameter("ALTREP") == nil
        else { return unit }
        var text = ICalendarText()
        text.line("\(unit.name);\(parameters):\(unit.property.value ?? "")")
        return ICalendarUnit(name: unit.name, text: text.text)
    }

    /// Adds and removes the values of a group with one property for each.
    private func changeSet(_ name: String, to units: [ICalendarUnit], in document: inout SyncDocument) {
        let former = Set(groups.keys(of: name))
        let wanted = Set(units.map(\.syncKey))
        let removed = (groups.units[name] ?? []).filter { !wanted.contains($0.syncKey) }
        let added = units.filter { !former.contains($0.syncKey) }
        if name == "CATEGORIES" {
            let values = Set(removed.compactMap(\.property.value))
            // A tag can differ from the value that it was read from.
            guard removeValues(values, in: &document) == values else {
                return replace(name, with: units, in: &document)
            }
        }
        let places = indexes(of: name, in: document)
        let written = places.compactMap { index in document.parts[index].unit.map { (index, $0.property) } }
        var removedPlaces: [Int] = []
        for unit in removed {
            let property = unit.property
            let match = written.first { index, candidate in
                !removedPlaces.contains(index) && candidate.value == property.value
                    && candidate.relation == property.relation
            }
            if match == nil, name == "CATEGORIES" { continue }
            // Values that are written in another way are written again as a whole.
            guard let match else { return replace(name, with: units, in: &document) }
            removedPlaces.append(match.0)
        }
        for index in removedPlaces.sorted().reversed() { document.replace([index], with: []) }
        guard !added.isEmpty else { return }
        if let last = indexes(of: name, in: document).last, let unit = document.parts[last].unit {
            document.replace([last], with: [unit] + added)
        } else {
            document.replace([], with: added)
        }
    }

    /// Removes some values of CATEGORIES from their lines, and returns those that were found. The other values of a line stay as
    /// they are.
    private func removeValues(_ removed: Set<String>, in document: inout SyncDocument) -> Set<String> {
        var found: Set<String> = []
        for index in indexes(of: "CATEGORIES", in: document).reversed() {
            guard let unit = document.parts[index].unit, unit.name == "CATEGORIES",
                let value = unit.property.value
            else { continue }
            let values = Self.values(of: value)
            let kept = values.filter { !removed.contains($0) }
            found.formUnion(removed.intersection(values))
            if kept.isEmpty {
                document.replace([index], with: [])
            } else if kept.count < values.count {
                document.replace(at: index, with: unit.with(value: kept.joined(separator: ",")))
            }
        }
        return found
    }

    /// Returns the values in a list, which commas without a backslash separate.
    private static func values(of text: String) -> [String] {
        var values = [""]
        var isEscaped = false
        for character in text.unicodeScalars {
            if character == ",", !isEscaped {
                values.append("")
            } else {
                values[values.count - 1].unicodeScalars.append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return values
    }

    /// Sets the times at which the task was changed.
    private func stamp(_ document: inout SyncDocument) {
        for (name, moment) in [("DTSTAMP", format.now), ("LAST-MODIFIED", modified)] {
            var text = ICalendarText()
            text.moment(name, moment)
            replace(name, with: [ICalendarUnit(name: name, text: text.text)], in: &document)
        }
    }

    /// Returns the text with a description of each time zone that only its new lines name.
    private func described(_ changed: SyncDocument) -> String {
        var changed = changed
        var writer = format.writer
        for zone in Self.zones(in: changed).subtracting(Self.zones(in: document)) {
            changed.add(timeZone: writer.lines(describing: zone), named: zone)
        }
        return changed.text
    }

    private static func zones(in document: SyncDocument) -> Set<String> {
        Set(document.units.compactMap { $0.unit.isComponent ? nil : $0.unit.property.parameter("TZID") })
    }

    // MARK: - Times

    private func changeTimes(
        to units: [ICalendarUnit], in document: inout SyncDocument
    ) throws(SyncTask.Failure) {
        let former = groups.units[SyncGroups.times] ?? []
        if usesRuleOfStart, Self.rule(in: former) == Self.rule(in: units) {
            throw SyncTask.Failure(
                description: "its rule counts from the start, and todod uses it for the due time")
        }
        let times = SyncTimes(of: document, own: former)
        for keepsDuration in times.hasDuration ? [true, false] : [true] {
            let changes = SyncTimes.ClockChanges.candidates
            for change in times.hasUnknownZone ? changes[...] : changes.prefix(1) {
                guard
                    let moved = times.moved(to: units, clockChanges: change, keepsDuration: keepsDuration),
                    let result = try? format.task(described(moved)).groups.keys(of: SyncGroups.times),
                    result == units.map(\.syncKey)
                else { continue }
                document = moved
                return
            }
        }
        // todod has no lines in their place.
        guard !times.hasForeignRule else {
            throw SyncTask.Failure(description: "the times of its rule cannot be changed safely")
        }
        replace(SyncGroups.times, with: units, in: &document)
    }

    /// Returns the parts of a rule without the number of its occurrences.
    private static func rule(in units: [ICalendarUnit]) -> [Substring] {
        let text = units.first { $0.name == "RRULE" }?.property.value ?? ""
        return text.split(separator: ";").filter { !$0.hasPrefix("COUNT=") }
    }

    // MARK: - Components

    /// Gives the alarms the triggers with which they have the same lead times, or are at the same times, as before a change of
    /// the times of the task.
    private func keepAlarms(in document: inout SyncDocument) {
        // A change of the times moves no alarm to another place among the alarms.
        for (place, formerPlace) in zip(Self.alarms(in: document), Self.alarms(in: self.document)) {
            guard let alarm = document.parts[place].unit,
                let former = item(withAlarmAt: formerPlace, in: self.document),
                let present = item(withAlarmAt: place, in: document)
            else { continue }
            let isSame = former.leads == present.leads && former.alerts == present.alerts
            // The trigger of an alarm of todod may differ although its own property says the same.
            if isSame, !alarm.hasOwnAlert { continue }
            var item = present
            (item.leads, item.alerts) = (former.leads, former.alerts)
            // An item without the time has no such alarm, so the trigger is that of the former item.
            let alarms = [item, former].lazy.compactMap { format.groups(of: $0).units[SyncGroups.alarms] }
            guard let own = alarms.first?.first else { continue }
            document.replace(at: place, with: alarm.withTrigger(of: own))
        }
    }

    /// The positions of the alarms among the parts.
    private static func alarms(in document: SyncDocument) -> [Int] {
        document.units.filter { $0.unit.isComponent && $0.unit.name == SyncGroups.alarms }.map(\.index)
    }

    /// Returns the item with only one of its alarms, or `nil` if todod does not use the alarm.
    private func item(withAlarmAt index: Int, in document: SyncDocument) -> ExchangeItem? {
        let others = Set(Self.alarms(in: document)).subtracting([index])
        let alone = document.filter { place, part in
            !others.contains(place) && !SyncGroups.leads.contains(part.unit?.name ?? "")
        }
        guard let item = (try? format.task(alone.text))?.item, item.leads.count + item.alerts.count == 1
        else {
            return nil
        }
        return item
    }

    /// Returns the lines that todod would write for an alarm, or `nil` if it does not use the alarm.
    private func ownAlarm(at index: Int, in document: SyncDocument) -> ICalendarUnit? {
        item(withAlarmAt: index, in: document).flatMap {
            format.groups(of: $0).units[SyncGroups.alarms]?.first
        }
    }

    /// Changes the alarms after the times.
    ///
    /// If the desired lines have none, the item keeps its alarms, whose lines may differ with the new times. An alarm that the item
    /// does not have may count again with the new times, and is removed.
    private func changeAlarms(to desired: [String: [ICalendarUnit]], in document: inout SyncDocument) {
        var present = (try? format.task(document.text))?.item ?? item
        (present.leads, present.alerts) = (item.leads, item.alerts)
        let areKept = SyncGroups.allAlarms.isDisjoint(with: desired.keys)
        let own = areKept ? format.groups(of: present) : groups
        let units = { (name: String) in desired[name] ?? own.units[name] ?? [] }
        changeAlarms(to: units(SyncGroups.alarms), in: &document)
        for name in SyncGroups.leads.sorted() { replace(name, with: units(name), in: &document) }
    }

    private func changeAlarms(to units: [ICalendarUnit], in document: inout SyncDocument) {
        let desired = units.map(\.syncKey)
        var known: Set<String> = []
        var removed: [Int] = []
        for index in Self.alarms(in: document) {
            // An alarm that todod does not use stays.
            guard let key = ownAlarm(at: index, in: document)?.syncKey else { continue }
            known.insert(key)
            if !desired.contains(key) { removed.append(index) }
        }
        var added = units.filter { !known.contains($0.syncKey) }
        // A changed alarm keeps its other lines.
        while let index = removed.first, let unit = added.first, let alarm = document.parts[index].unit,
            alarm.hasOwnAlert == unit.hasOwnAlert
        {
            document.replace(at: index, with: alarm.withTrigger(of: unit))
            removed.removeFirst()
            added.removeFirst()
        }
        document.add(components: added)
        for index in removed.reversed() { document.replace([index], with: []) }
    }

    private func changeChangedTimes(to units: [ICalendarUnit], in document: inout SyncDocument) {
        var desired = Dictionary(
            units.map { (Self.recurrenceID(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        for index in document.changedTimes.reversed() {
            guard let own = changedTime(at: index, in: document) else { continue }
            guard let wanted = desired.removeValue(forKey: Self.recurrenceID(of: own)) else {
                document.removeChangedTime(at: index)
                continue
            }
            if wanted.syncKey == own.syncKey { continue }
            let text = patched(document.parts[index].text, from: own, to: wanted)
            document.replaceChangedTime(at: index, with: text)
            if changedTime(at: index, in: document)?.syncKey != wanted.syncKey {
                document.replaceChangedTime(at: index, with: wanted.text)
            }
        }
        for unit in units where desired[Self.recurrenceID(of: unit)] != nil {
            document.add(changedTime: unit.text)
        }
    }

    /// Returns the lines that todod would write for one of the tasks with RECURRENCE-ID, or `nil` if it does not use it.
    private func changedTime(at index: Int, in document: SyncDocument) -> ICalendarUnit? {
        let others = Set(document.changedTimes).subtracting([index])
        let alone = document.filter { place, _ in !others.contains(place) }
        return (try? format.task(alone.text))?.groups.units[SyncGroups.changedTimes]?.first
    }

    /// Returns the text of a task with RECURRENCE-ID with the properties in which two forms of it by todod differ.
    private func patched(_ text: String, from own: ICalendarUnit, to wanted: ICalendarUnit) -> String {
        var document = SyncDocument(changedTime: text)
        let (former, new) = (SyncGroups(ofTask: own.text), SyncGroups(ofTask: wanted.text))
        for name in former.names.union(new.names).sorted() where former.keys(of: name) != new.keys(of: name) {
            replace(name, with: new.units[name] ?? [], in: &document)
        }
        stamp(&document)
        return document.text
    }

    private static func recurrenceID(of unit: ICalendarUnit) -> String {
        unit.syncKey.split(separator: "\n").first { $0.hasPrefix("RECURRENCE-ID") }.map(String.init) ?? ""
    }
}

extension ICalendarUnit {
    /// Returns the lines of an alarm with a name, with their positions.
    private func lines(named name: String) -> [(index: Int, line: String)] {
        ICalendarUnit.logicalLines(of: text).enumerated().compactMap { index, line in
            let line = String(Substring(line))
            return ICalendarUnit(name: "", text: line).property.name == name ? (index, line) : nil
        }
    }

    /// Whether todod has given an alarm a text of its own.
    fileprivate var hasOwnAlert: Bool { !lines(named: ICalendarWriter.ownAlert).isEmpty }

    /// Returns an alarm with the TRIGGER of another one, and with its property of todod. All other lines stay as they are.
    fileprivate func withTrigger(of other: ICalendarUnit) -> ICalendarUnit {
        var all = ICalendarUnit.logicalLines(of: text).map { String(Substring($0)) }
        guard let trigger = lines(named: "TRIGGER").first, let new = other.lines(named: "TRIGGER").first
        else {
            return self
        }
        all[trigger.index] = new.line
        if let own = lines(named: ICalendarWriter.ownAlert).first {
            all[own.index] = other.lines(named: ICalendarWriter.ownAlert).first?.line ?? ""
        }
        return ICalendarUnit(name: name, isComponent: true, text: all.joined())
    }
}
