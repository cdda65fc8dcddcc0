internal import CivilTime

/// The times of a task on the server, which are changed in the form in which they are written.
struct SyncTimes {
    private let document: SyncDocument
    /// The lines that todod would write for these times.
    private let own: [ICalendarUnit]
    private let zones = ICalendarZones()
    private var clockChanges = ClockChanges()
    private var keepsDuration = true

    init(of document: SyncDocument, own: [ICalendarUnit]) {
        self.document = document
        self.own = own
    }

    /// Returns the document with the times of other lines of todod, or `nil` if its forms cannot express them.
    ///
    /// A time stays a date, floating, in its zone or in UTC. DTSTART keeps its distance to the due time. A rule that stays the
    /// same keeps its line.
    ///
    /// - Parameters:
    ///   - clockChanges: the differences of the clocks of a zone that this machine does not know.
    ///   - keepsDuration: whether a DURATION stays. Otherwise, DUE replaces it.
    func moved(
        to units: [ICalendarUnit], clockChanges: ClockChanges = ClockChanges(), keepsDuration: Bool = true
    ) -> SyncDocument? {
        var times = self
        times.clockChanges = clockChanges
        times.keepsDuration = keepsDuration
        return times.moved(units)
    }

    /// How much later the clocks of an unknown zone are at the new times of a task than at the former ones, in seconds.
    struct ClockChanges {
        var start = 0.0
        var due = 0.0

        /// The differences that are tried in turn, because only the calendar that describes the zone knows them.
        static let candidates: [ClockChanges] = {
            let seconds = [0.0, 3_600, -3_600, 1_800, -1_800]
            return seconds.flatMap { start in seconds.map { ClockChanges(start: start, due: $0) } }
        }()
    }

    private func moved(_ units: [ICalendarUnit]) -> SyncDocument? {
        var result = document
        let wanted = Dictionary(grouping: units, by: \.name)
        let present = Dictionary(grouping: own, by: \.name)
        let isSame = { (name: String) in wanted[name]?.map(\.syncKey) == present[name]?.map(\.syncKey) }
        // DTSTART of a rule of todod is its first due time, and that of another program is the start.
        let isOwn = written.contains { $0.name == ICalendarWriter.ownStart }
        let names = isOwn ? ["DTSTART", ICalendarWriter.ownStart] : [ICalendarWriter.ownStart, "DTSTART"]
        let due = time(wanted["DUE"])
        let start = time(names.lazy.compactMap { wanted[$0] }.first)
        if due == nil, wanted["DUE"] != nil { return nil }
        let removesRule = present["RRULE"] != nil && wanted["RRULE"] == nil
        /// The names of the lines that are in the text already, or that it does not need.
        var handled: Set<String> = []
        var removed: [Int] = []
        for (index, unit) in places {
            switch unit.name {
            case "DUE":
                if let due {
                    guard let moved = rewritten(unit, to: due, clockChanges.due) else { return nil }
                    result.replace(at: index, with: moved)
                } else {
                    removed.append(index)
                }
            case "DTSTART":
                let keepsDistance = written.contains { $0.name == "RRULE" } && isSame("RRULE")
                let hadOwn = names.contains { present[$0] != nil }
                let moved = movedStart(
                    unit, due: due, start: start, keepsDistance: keepsDistance, hadOwn: hadOwn)
                guard let moved else { return nil }
                if !isOwn || wanted["DTSTART"] == nil { handled.insert(ICalendarWriter.ownStart) }
                switch moved {
                case .some(let unit): result.replace(at: index, with: unit)
                case .none: removed.append(index)
                }
            case "DURATION": if due == nil || !keepsDuration { removed.append(index) }
            case "RRULE":
                if removesRule {
                    removed.append(index)
                } else if handled.contains("RRULE") {
                    break  // todod uses the first of several rules.
                } else if let former = present["RRULE"]?.first, let rule = wanted["RRULE"]?.first {
                    let distance = distance(due: due, start: start)
                    guard let moved = rewritten(unit, from: former, to: rule, distance: distance)
                    else { return nil }
                    result.replace(at: index, with: moved)
                } else if wanted["RRULE"] != nil {
                    // A rule that todod cannot read stays, and no other one can be beside it.
                    return nil
                }
            case "EXDATE", "RDATE", "EXRULE":
                if removesRule {
                    removed.append(index)
                } else if !isSame(unit.name) {
                    return nil
                }
            default:
                removed.append(index)
                continue
            }
            handled.insert(unit.name)
        }
        let isWritten = { (name: String) in written.contains { $0.name == name } }
        let added = units.filter { unit in
            if handled.contains(unit.name) { return false }
            if unit.name == "DUE", hasDuration { return !keepsDuration }
            // todod reads some times in another way than they are written, such as added dates without a rule.
            return isWritten(unit.name) || !isSame(unit.name)
        }
        guard let inForm = addedInForm(added) else { return nil }
        removed.sort()
        result.replace(removed, with: inForm)
        return result
    }

    /// Returns the new lines. A new DUE is written as DTSTART is, and a new DTSTART as DUE is. Returns `nil` if one is a date and
    /// the other one a time.
    private func addedInForm(_ units: [ICalendarUnit]) -> [ICalendarUnit]? {
        var result = units
        for (name, other, change) in [
            ("DUE", "DTSTART", clockChanges.due), ("DTSTART", "DUE", clockChanges.start),
        ] {
            guard let index = units.firstIndex(where: { $0.name == name }), let time = time(units[index]),
                let model = written.first(where: { $0.name == other })
            else { continue }
            if let unit = rewritten(model, to: time, change)?.named(name) {
                result[index] = unit
            } else if (time.wholeDay == nil) != (self.time(model)?.wholeDay == nil) {
                return nil
            }
        }
        return result
    }

    /// The lines of the times, with their positions among the parts.
    private var places: [(index: Int, unit: ICalendarUnit)] {
        document.units.filter {
            !$0.unit.isComponent && SyncGroups.name(of: $0.unit) == SyncGroups.times
        }
    }

    private var written: [ICalendarUnit] { places.map(\.unit) }

    var hasDuration: Bool { written.contains { $0.name == "DURATION" } }

    /// Whether a time is in a zone that only the text describes.
    var hasUnknownZone: Bool {
        written.contains { $0.property.parameter("TZID").map { zones.zone(named: $0) == nil } ?? false }
    }

    /// Whether the text has a rule that todod would not write again: one that it cannot read, exceptions by a rule, or one in
    /// a zone that this machine does not know.
    var hasForeignRule: Bool {
        let rules = written.filter { $0.name == "RRULE" }
        return written.contains { $0.name == "EXRULE" }
            || !rules.isEmpty && (hasUnknownZone || !own.contains { $0.name == "RRULE" })
    }

    private func time(_ units: [ICalendarUnit]?) -> CalendarTime? { units?.first.flatMap(time) }

    /// Returns the time of a property, or `nil` if it is none or its zone is unknown.
    private func time(_ unit: ICalendarUnit) -> CalendarTime? {
        let property = unit.property
        guard let time = property.value.flatMap({ CalendarTime(basicText: $0) }) else { return nil }
        guard let name = property.parameter("TZID") else { return time }
        guard case .local(.floating(let civil)) = time else { return nil }
        guard let zone = zones.zone(named: name) else { return ownTime(of: unit) }
        return .moment(zone.moment(of: civil))
    }

    /// Returns the time that todod has read for a property in an unknown zone.
    private func ownTime(of unit: ICalendarUnit) -> CalendarTime? {
        own.first { $0.name == unit.name && $0.property.parameter("TZID") == nil }.flatMap(time)
    }

    /// Returns a property with another time in the same form, or `nil` if the form cannot express it.
    ///
    /// - Parameter clockChange: how much later the clocks of an unknown zone are then, in seconds.
    private func rewritten(
        _ unit: ICalendarUnit, to time: CalendarTime, _ clockChange: Double
    ) -> ICalendarUnit? {
        let property = unit.property
        guard let former = property.value.flatMap({ CalendarTime(basicText: $0) }) else { return nil }
        var value: String?
        switch (former, time) {
        case (.moment, .moment), (.local(.date), .local(.date)): value = time.basicText
        case (.local(.floating), .local(.floating)) where property.parameter("TZID") == nil:
            value = time.basicText
        case (.local(.floating), .moment(let moment)):
            guard let zone = property.parameter("TZID").flatMap(zones.zone(named:)) else {
                return shifted(unit, to: moment, clockChange)
            }
            value = zone.civil(at: moment).map(ICalendarText.basic)
            if let civil = zone.civil(at: moment), zone.moment(of: civil) != moment { return nil }
        default: return nil
        }
        return value.map { unit.with(value: $0) }
    }

    /// Returns a property in an unknown zone with a later local time, as far as the clocks do not change.
    private func shifted(
        _ unit: ICalendarUnit, to moment: Timestamp, _ clockChange: Double
    ) -> ICalendarUnit? {
        guard
            case .local(.floating(let civil))? = unit.property.value.flatMap({ CalendarTime(basicText: $0) }),
            case .moment(let former)? = ownTime(of: unit),
            let shifted = TimeZoneRules.utc.civil(
                at: TimeZoneRules.utc.moment(of: civil) + (moment - former) + clockChange)
        else { return nil }
        return unit.with(value: ICalendarText.basic(shifted))
    }

    /// Returns DTSTART for a new due time: a property, or `nil` inside for none. It is `nil` if the form cannot express it.
    ///
    /// - Parameters:
    ///   - keepsDistance: whether DTSTART of a repeating task moves with the due time, because the rule counts from it.
    ///   - hadOwn: whether todod had a time for DTSTART.
    private func movedStart(
        _ unit: ICalendarUnit, due: CalendarTime?, start: CalendarTime?, keepsDistance: Bool, hadOwn: Bool
    ) -> ICalendarUnit?? {
        if let start, !keepsDistance || start != due {
            return rewritten(unit, to: start, clockChanges.start).map { .some($0) }
        }
        // The user has removed the start.
        if hadOwn, !keepsDistance, start == nil { return .some(nil) }
        guard let due, let former = time(unit), let formerDue = formerDue(start: former) else { return nil }
        switch (former, formerDue, due) {
        case (.moment(let first), .moment(let last), .moment(let new)):
            return rewritten(unit, to: .moment(new + (first - last)), clockChanges.start).map { .some($0) }
        case (.local(let first), .local(let last), .local(let new)):
            let moment = new.momentInUTC + (first.momentInUTC - last.momentInUTC)
            guard let civil = TimeZoneRules.utc.civil(at: moment) else { return nil }
            return rewritten(unit, to: .local(first.moved(to: civil)), clockChanges.start).map { .some($0) }
        default: return nil
        }
    }

    private func formerDue(start: CalendarTime) -> CalendarTime? {
        if let due = written.first(where: { $0.name == "DUE" }) { return time(due) }
        // With DURATION, todod has read the end of the task.
        return time(own.first { $0.name == "DUE" }.map { [$0] })
    }

    /// Returns how much later than before a task is due after its start, in seconds.
    private func distance(due: CalendarTime?, start: CalendarTime?) -> Double {
        guard let first = written.first(where: { $0.name == "DTSTART" }).flatMap(time),
            let last = formerDue(start: first), let start, let due,
            let new = Self.seconds(from: start, to: due), let former = Self.seconds(from: first, to: last)
        else { return 0 }
        return new - former
    }

    private static func seconds(from start: CalendarTime, to end: CalendarTime) -> Double? {
        switch (start, end) {
        case (.moment(let start), .moment(let end)): end - start
        case (.local(let start), .local(let end)): end.momentInUTC - start.momentInUTC
        default: nil
        }
    }

    /// Returns a rule whose end is as long before its former one as the start is now. The rule counts from the start, and
    /// that of todod from the due time.
    private func ending(_ unit: ICalendarUnit, earlierBy seconds: Double) -> ICalendarUnit? {
        if seconds == 0 { return unit }
        let parts = (unit.property.value ?? "").split(separator: ";").map(String.init)
        guard let index = parts.firstIndex(where: { $0.uppercased().hasPrefix("UNTIL=") }) else {
            return unit
        }
        let moved: CalendarTime
        switch CalendarTime(basicText: String(parts[index].dropFirst("UNTIL=".count))) {
        case .moment(let moment)?: moved = .moment(moment - seconds)
        case .local(let local)?:
            guard let civil = TimeZoneRules.utc.civil(at: local.momentInUTC - seconds) else { return nil }
            moved = .local(local.moved(to: civil))
        case nil: return nil
        }
        var changed = parts
        changed[index] = "UNTIL=\(moved.basicText)"
        return unit.with(value: changed.joined(separator: ";"))
    }

    /// Returns a rule with all parts as they are written if only the number of occurrences changes, and the new rule otherwise.
    private func rewritten(
        _ unit: ICalendarUnit, from former: ICalendarUnit, to new: ICalendarUnit, distance: Double
    ) -> ICalendarUnit? {
        if former.syncKey == new.syncKey { return ending(unit, earlierBy: distance) }
        let parts = { (unit: ICalendarUnit) in
            (unit.property.value ?? "").split(separator: ";").map(String.init)
        }
        let isCount = { (part: String) in part.uppercased().hasPrefix("COUNT=") }
        let count = parts(new).first(where: isCount)
        guard let count, parts(unit).contains(where: isCount),
            parts(former).filter({ !isCount($0) }) == parts(new).filter({ !isCount($0) })
        else { return new }
        return unit.with(value: parts(unit).map { isCount($0) ? count : $0 }.joined(separator: ";"))
    }
}

extension ICalendarUnit {
    /// Returns the property with another name, and the same parameters and value.
    fileprivate func named(_ name: String) -> ICalendarUnit {
        var text = ICalendarText()
        text.line(name + String(decoding: unfolded.dropFirst(self.name.utf8.count), as: UTF8.self))
        return ICalendarUnit(name: name, text: text.text)
    }

    /// Returns the property with another value and the same parameters.
    func with(value: String) -> ICalendarUnit {
        let head = String(
            decoding: unfolded.dropLast((property.value ?? "").utf8.count), as: UTF8.self)
        var text = ICalendarText()
        text.line(head + value)
        return ICalendarUnit(name: name, text: text.text)
    }
}
