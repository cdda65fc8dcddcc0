/// The lines that todod writes for an item in a list, by groups of properties that describe one value together.
struct SyncGroups {
    /// The group of the alarms, and the one of the tasks with RECURRENCE-ID.
    static let alarms = "VALARM"
    static let changedTimes = "VTODO"
    static let times = ICalendarKeptText.times
    /// The lead times of a task without a due time or a start.
    static let leads: Set = [ICalendarWriter.ownLeads, ICalendarWriter.ownStartLeads]
    /// The groups with alarms: the components and the lead times.
    static let allAlarms = leads.union([alarms])
    /// The property that names a group whose removal lost in a conflict.
    static let removal = "X-TODOD-REMOVED"
    /// The groups that are sets of values, so that two changes of the group are no conflict.
    static let sets: Set = ["CATEGORIES", "ATTACH", "RELATED-TO", alarms, changedTimes]
    /// The properties that describe the text itself, or that never change.
    private static let ignored: Set = [
        "BEGIN", "END", "CREATED", "DTSTAMP", "LAST-MODIFIED", "UID", "X-TODOD-UID",
    ]

    /// Whether a property describes the text itself, and not the task.
    static func describesText(_ unit: ICalendarUnit) -> Bool {
        ignored.contains(unit.name) || unit.name == "SEQUENCE"
    }

    private(set) var units: [String: [ICalendarUnit]] = [:]

    init(_ item: ExchangeItem, _ writer: ICalendarWriter) {
        for unit in ICalendarUnit.units(in: writer.task(item)) { append(unit) }
        for occurrence in item.occurrences {
            append(
                ICalendarUnit(
                    name: Self.changedTimes, isComponent: true, text: writer.task(occurrence, of: item)))
        }
    }

    /// Creates the groups of a task that todod has written.
    init(ofTask text: String) {
        for unit in ICalendarUnit.units(in: text) { append(unit) }
    }

    private mutating func append(_ unit: ICalendarUnit) {
        if Self.ignored.contains(unit.name) { return }
        units[Self.name(of: unit), default: []].append(unit)
    }

    /// Returns the name of the group of a property or a component.
    static func name(of unit: ICalendarUnit) -> String {
        unit.isComponent ? unit.name : ICalendarKeptText.group(of: unit)
    }

    var names: Set<String> { Set(units.keys) }

    /// Returns what identifies the values of a group: one text for each.
    func keys(of name: String) -> [String] { (units[name] ?? []).map(\.syncKey) }
}

extension ICalendarUnit {
    /// The text by which two properties or components count as the same.
    ///
    /// The name of the item, which each alarm repeats, and the time at which a task was written are no part of it.
    var syncKey: String {
        guard isComponent else { return String(decoding: unfolded, as: UTF8.self) }
        let lines = unfoldedLines.map { String(decoding: $0, as: UTF8.self) }
        return lines.filter { line in
            !["BEGIN:", "END:", "DTSTAMP:", "ACTION:"].contains(where: line.hasPrefix)
                && !(name == SyncGroups.alarms && line.hasPrefix("DESCRIPTION:"))
        }.joined(separator: "\n")
    }
}

/// The state of an item at the last agreement with the server: a hash for each group of its properties.
package struct SyncState: Hashable, Sendable {
    private(set) var hashes: [String: String] = [:]

    init(_ groups: SyncGroups) {
        for name in groups.names {
            let content = groups.keys(of: name).joined(separator: "\n")
            hashes[name] = String(content.utf8.stableHash(), radix: 16)
        }
    }

    /// Reads the text of a state.
    package init(_ text: String) {
        for pair in text.split(separator: ";") {
            let sides = pair.split(separator: "=")
            if sides.count == 2 { hashes[String(sides[0])] = String(sides[1]) }
        }
    }

    package var text: String {
        hashes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }

    /// The groups that the item has.
    var names: Set<String> { Set(hashes.keys) }

    /// Returns the groups in which two states differ.
    package func difference(from other: SyncState) -> Set<String> {
        Set(hashes.keys).union(other.hashes.keys).filter { hashes[$0] != other.hashes[$0] }
    }

    /// Returns the state with some groups of another one.
    package func replacing(_ names: some Sequence<String>, from other: SyncState) -> SyncState {
        var state = self
        for name in names { state.hashes[name] = other.hashes[name] }
        return state
    }
}
