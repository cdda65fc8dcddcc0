internal import CLibical

/// The properties and components of an imported task that the item cannot express, as they were written.
///
/// The text has one block for each group of properties, as another program wrote it. A block is exported as long as todod
/// writes the same for the group as at the import, so a change of the item replaces it. The first property,
/// `X-TODOD-KEPT`, has a hash of the lines that todod wrote for each group, and lacks the groups without such lines.
package enum ICalendarKeptText {
    /// The most bytes that an item keeps.
    package static let bytesLimit = 65_536
    /// The bytes of these that are reserved for the header.
    private static let headerBytes = 1_024

    /// The name of the property with the hashes.
    static let header = "X-TODOD-KEPT"
    /// The properties that describe the file, or that only todod reads.
    private static let neverKept: Set = [
        header, "DTSTAMP", "RECURRENCE-ID", "BEGIN", "END", ICalendarWriter.ownLeads,
        ICalendarWriter.ownStartLeads,
        "X-TODOD-MUTED", "X-TODOD-SNOOZED-UNTIL",
    ]
    static let times = "TIMES"
    /// The groups of properties that describe one value together. Each other property is a group of its own.
    private static let groups: [String: String] = {
        var groups: [String: String] = [:]
        for (group, names) in [
            ("UID", ["X-TODOD-UID"]), ("SUMMARY", ["X-TODOD-SUMMARY"]),
            ("DESCRIPTION", ["X-TODOD-DESCRIPTION"]),
            ("CATEGORIES", ["X-TODOD-CATEGORIES", "X-TODOD-TAGS"]),
            (
                "STATUS",
                [
                    "COMPLETED", "PERCENT-COMPLETE", "X-TODOD-COMPLETED", "X-TODOD-PERCENT",
                    ICalendarWriter.seriesCompleted,
                ]
            ),
            (
                times,
                [
                    "DTSTART", "DUE", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "X-TODOD-START",
                    "X-TODOD-RRULE", "X-TODOD-RULE-DUE", "X-TODOD-DUE", "X-TODOD-DTSTART",
                    "X-TODOD-RECURRENCE-START",
                    "X-TODOD-TIME-ZONE", "X-TODOD-CLOCK", "X-TODOD-AFTER-DONE", "X-TODOD-OCCURRENCES-DONE",
                ]
            ),
        ] {
            for name in names { groups[name] = group }
        }
        return groups
    }()

    /// Returns the name of the group of a property.
    static func group(of unit: ICalendarUnit) -> String {
        guard unit.name == "ATTACH", unit.property.isData else { return groups[unit.name] ?? unit.name }
        // Data in the file is never a link of the item, so it stays when the links change.
        return "ATTACH-DATA"
    }

    // MARK: - Import

    /// The result of comparing a task with the lines that todod writes for its item.
    struct Result {
        /// The text to keep, or `nil` if todod writes the same as the task.
        var text: String?
        /// The names of the kept properties and components for which todod writes nothing.
        var kept: Set<String> = []
        /// The names of those that exceed the limit.
        var tooLarge: [String] = []
        /// The names of those with control characters.
        var unreadable: [String] = []
    }

    /// Returns the parts of a task that differ from the lines that todod writes for its item.
    ///
    /// - Parameters:
    ///   - skipped: the components that are read in another way, in upper case.
    ///   - keepsTimes: whether the times are kept. Tasks that refer to each other by their times get them all from todod.
    static func parts(
        of task: String, beside own: String, skipping skipped: Set<String>, keepsTimes: Bool = true
    ) -> Result {
        var result = Result()
        let own = Grouped(ICalendarUnit.units(in: own))
        let written = Grouped(
            ICalendarUnit.units(in: task).filter { !$0.isComponent || !skipped.contains($0.name) })
        var properties = ""
        var components = ""
        var hashes: [String] = []
        // Own groups are first, so that the export of the result is kept in the same order.
        let names =
            own.order.filter { written.units[$0] != nil }
            + written.order.filter { own.units[$0] == nil }
        var room = bytesLimit - headerBytes
        for name in names {
            guard !neverKept.contains(name), let all = written.units[name],
                !own.hasSameContent(of: name, as: written)
            else { continue }
            if name == times, !keepsTimes || !all.allSatisfy(hasKnownZone) { continue }
            let units = all.filter { unit in
                // A line without a colon is no property.
                guard unit.isComponent || unit.property.value != nil else { return false }
                if unit.hasControls, own.units[name] == nil { result.unreadable.append(unit.name) }
                return !unit.hasControls
            }
            let count = units.reduce(0) { $0 + $1.text.utf8.count }
            guard count <= room else {
                result.tooLarge.append(all[0].name)
                continue
            }
            room -= count
            for unit in units {
                if unit.isComponent { components += unit.text } else { properties += unit.text }
            }
            if units.isEmpty { continue }
            if let hash = own.hash(of: name) {
                hashes.append("\(name)=\(hash)")
            } else {
                result.kept.insert(units[0].name)
            }
            if name == times { result.kept.formUnion(units.map(\.name)) }
            if name == "STATUS" { result.kept.insert(name) }
        }
        var text = ICalendarText()
        if !hashes.isEmpty { text.line("\(header):\(hashes.joined(separator: ";"))") }
        let all = text.text + properties + components
        result.text = all.isEmpty ? nil : all
        return result
    }

    private static func hasKnownZone(_ unit: ICalendarUnit) -> Bool {
        unit.property.parameter("TZID").map { icaltimezone_get_builtin_timezone($0) != nil } ?? true
    }

    // MARK: - Export

    /// Returns the lines of a task with the kept text in place of the lines that have not changed since the import, and
    /// the time zones that it names.
    static func adding(_ kept: [UInt8], to own: String) -> (text: String, zones: [String]) {
        let lines = "BEGIN:VTODO\r\n" + String(decoding: kept, as: UTF8.self) + "\r\nEND:VTODO\r\n"
        let keptUnits = ICalendarUnit.units(in: lines).filter { unit in
            !unit.hasControls && (unit.isComponent ? unit.name != "VTODO" : unit.property.value != nil)
        }
        let hashes = hashes(in: keptUnits)
        let ownUnits = ICalendarUnit.units(in: own)
        let known = Grouped(ownUnits)
        let blocks = Grouped(keptUnits)
        let used = Set(
            blocks.order.filter { !neverKept.contains($0) && hashes[$0] == known.hash(of: $0) })
        var zones: [String] = []
        var written: Set<String> = []
        var text = "BEGIN:VTODO\r\n"
        let add = { (name: String, isComponent: Bool) in
            guard written.insert(name).inserted else { return }
            for unit in blocks.units[name] ?? [] where unit.isComponent == isComponent {
                text += unit.text
                if !isComponent, let zone = unit.property.parameter("TZID") { zones.append(zone) }
            }
        }
        for unit in ownUnits where !unit.isComponent {
            let name = group(of: unit)
            if used.contains(name) { add(name, false) } else { text += unit.text }
        }
        let isOfComponents = { (name: String) in blocks.units[name]?.first?.isComponent == true }
        for name in blocks.order where used.contains(name) && !isOfComponents(name) { add(name, false) }
        for unit in ownUnits where unit.isComponent { text += unit.text }
        for name in blocks.order where used.contains(name) && isOfComponents(name) { add(name, true) }
        return (text + "END:VTODO\r\n", zones)
    }

    /// Returns the hashes of the groups in the header.
    private static func hashes(in units: [ICalendarUnit]) -> [String: String] {
        var hashes: [String: String] = [:]
        for text in (units.first { $0.name == header }?.property.value ?? "").split(separator: ";") {
            let sides = text.split(separator: "=")
            if sides.count == 2 { hashes[String(sides[0])] = String(sides[1]) }
        }
        return hashes
    }

    /// The units of a task by their groups.
    private struct Grouped {
        private(set) var units: [String: [ICalendarUnit]] = [:]
        /// The groups in the order in which they begin.
        private(set) var order: [String] = []

        init(_ all: [ICalendarUnit]) {
            for unit in all {
                // A component never replaces a property of the same name.
                let name = unit.isComponent ? "BEGIN:\(unit.name)" : group(of: unit)
                if units[name] == nil { order.append(name) }
                units[name, default: []].append(unit)
            }
        }

        /// Whether both have a group with the same lines, which may be folded at other places.
        func hasSameContent(of name: String, as other: Grouped) -> Bool {
            guard let own = units[name], let others = other.units[name] else { return false }
            return own == others || content(of: name) == other.content(of: name)
        }

        /// The bytes of a group without folds.
        func content(of name: String) -> [UInt8]? {
            units[name].map { units in Array(units.map(\.unfolded).joined(separator: [0x0A])) }
        }

        /// Returns a hash of a group, or `nil` if there is none.
        func hash(of name: String) -> String? {
            content(of: name).map { String($0.stableHash(), radix: 16) }
        }
    }
}

extension ICalendarProperty {
    /// Whether the value is data, and not a URL.
    var isData: Bool {
        parameter("VALUE")?.uppercased() == "BINARY" || parameter("ENCODING")?.uppercased() == "BASE64"
    }
}
