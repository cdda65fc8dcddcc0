/// The text of a resource in its parts, so that one part can be replaced while all others stay as they are.
struct SyncDocument {
    enum Part: Hashable {
        /// Lines outside of the task, or the BEGIN, the END and the empty lines of it.
        case other(String)
        /// A property of the task, or a component in it.
        case unit(ICalendarUnit)
        /// A task with RECURRENCE-ID.
        case changedTime(String)

        var text: String {
            switch self {
            case .other(let text), .changedTime(let text): text
            case .unit(let unit): unit.text
            }
        }

        var unit: ICalendarUnit? {
            if case .unit(let unit) = self { unit } else { nil }
        }
    }

    private(set) var parts: [Part] = []
    /// The number of tasks without RECURRENCE-ID.
    private(set) var taskCount = 0
    /// The names of the time zones that the text describes.
    private(set) var describedZones: Set<String> = []

    /// Reads a text. The parts together are the text.
    init(_ text: String) { self.init(text, in: [], splitsChangedTimes: false) }

    /// Reads a task with RECURRENCE-ID alone, as if it had none.
    init(changedTime text: String) { self.init(text, in: ["VCALENDAR"], splitsChangedTimes: true) }

    private init(_ text: String, in outer: [String], splitsChangedTimes: Bool) {
        var open = outer
        /// The logical lines of the component in the calendar that has begun.
        var component: [(line: String, depth: Int)] = []
        for line in ICalendarUnit.logicalLines(of: text).map({ String(Substring($0)) }) {
            let begin = ICalendarScanner.component(Substring(line), "BEGIN:")
            let end = ICalendarScanner.component(Substring(line), "END:")
            if let begin { open.append(begin) }
            if open.count < 2 {
                parts.append(.other(line))
            } else {
                component.append((line, open.count))
            }
            guard end != nil, !open.isEmpty else { continue }
            let name = open.removeLast()
            if open.count == 1 {
                append(component, name, splitsChangedTimes: splitsChangedTimes)
                component = []
            }
        }
        if !component.isEmpty { parts.append(.other(component.map(\.line).joined())) }
    }

    var text: String { parts.map(\.text).joined() }

    /// The end of the lines, which added lines have, too.
    private var lineEnd: String { parts.first?.text.utf8.contains(0x0D) == false ? "\n" : "\r\n" }

    private mutating func append(
        _ component: [(line: String, depth: Int)], _ name: String, splitsChangedTimes: Bool
    ) {
        let text = component.map(\.line).joined()
        let own = component.filter { $0.depth == 2 }.map { ICalendarUnit(name: "", text: $0.line).property }
        if name == "VTIMEZONE", let zone = own.first(where: { $0.name == "TZID" })?.value {
            describedZones.insert(zone)
        }
        guard name == "VTODO" else { return parts.append(.other(text)) }
        if !splitsChangedTimes, own.contains(where: { $0.name == "RECURRENCE-ID" }) {
            return parts.append(.changedTime(text))
        }
        taskCount += 1
        guard taskCount == 1 else { return parts.append(.other(text)) }
        var inner = ""
        var innerName = ""
        for (index, (line, depth)) in component.enumerated() {
            if index == 0 || index == component.count - 1 {
                parts.append(.other(line))
            } else if depth > 2 {
                if inner.isEmpty { innerName = ICalendarScanner.component(Substring(line), "BEGIN:") ?? "" }
                inner += line
                let isLast = component[index + 1].depth == 2 || Self.endsComponent(line, depth)
                if isLast {
                    parts.append(.unit(ICalendarUnit(name: innerName, isComponent: true, text: inner)))
                    inner = ""
                }
            } else if line.allSatisfy(\.isNewline) {
                parts.append(.other(line))
            } else {
                let name = ICalendarUnit(name: "", text: line).property.name
                parts.append(.unit(ICalendarUnit(name: name, text: line)))
            }
        }
    }

    /// Whether a line at this depth ends a component directly in the task.
    private static func endsComponent(_ line: String, _ depth: Int) -> Bool {
        depth == 3 && ICalendarScanner.component(Substring(line), "END:") != nil
    }

    // MARK: - Changes

    /// The properties and components of the task, with their positions among the parts.
    var units: [(index: Int, unit: ICalendarUnit)] {
        parts.enumerated().compactMap { index, part in part.unit.map { (index, $0) } }
    }

    /// The positions of the tasks with RECURRENCE-ID.
    var changedTimes: [Int] {
        parts.indices.filter { if case .changedTime = parts[$0] { true } else { false } }
    }

    /// Returns the document with only some of its parts.
    func filter(_ isIncluded: (Int, Part) -> Bool) -> SyncDocument {
        var document = self
        document.parts = parts.enumerated().filter { isIncluded($0.offset, $0.element) }.map(\.element)
        return document
    }

    /// Replaces the text of one property.
    mutating func replace(at index: Int, with unit: ICalendarUnit) {
        parts[index] = .unit(withOwnLineEnds(unit))
    }

    /// Replaces the properties at some positions with others, in the place of the first one.
    mutating func replace(_ indexes: [Int], with units: [ICalendarUnit]) {
        let place = indexes.first ?? placeOfNewProperties
        for index in indexes.reversed() { parts.remove(at: index) }
        parts.insert(contentsOf: units.map { .unit(withOwnLineEnds($0)) }, at: place)
    }

    /// Adds components to the task, after all others.
    mutating func add(components: [ICalendarUnit]) {
        parts.insert(contentsOf: components.map { .unit(withOwnLineEnds($0)) }, at: endOfTask)
    }

    /// Replaces the task with RECURRENCE-ID at a position.
    mutating func replaceChangedTime(at index: Int, with text: String) {
        parts[index] = .changedTime(withOwnLineEnds(text))
    }

    /// Removes the task with RECURRENCE-ID at a position.
    mutating func removeChangedTime(at index: Int) { parts.remove(at: index) }

    /// Adds a task with RECURRENCE-ID after the task.
    mutating func add(changedTime text: String) {
        parts.insert(.changedTime(withOwnLineEnds(text)), at: endOfTask + 1)
    }

    /// Adds the description of a time zone before the first task.
    mutating func add(timeZone text: String, named name: String) {
        guard !text.isEmpty, describedZones.insert(name).inserted else { return }
        let place = min(beginOfTask, changedTimes.first ?? beginOfTask)
        parts.insert(.other(withOwnLineEnds(text)), at: place)
    }

    /// The position of the BEGIN of the task.
    private var beginOfTask: Int {
        parts.firstIndex { Self.isTask($0, "BEGIN:") } ?? parts.count
    }

    /// The position of the END of the task.
    private var endOfTask: Int {
        parts[beginOfTask...].firstIndex { Self.isTask($0, "END:") } ?? parts.count
    }

    private static func isTask(_ part: Part, _ prefix: StaticString) -> Bool {
        guard case .other(let text) = part else { return false }
        return ICalendarScanner.component(Substring(text), prefix) == "VTODO"
    }

    private var placeOfNewProperties: Int {
        units.first { $0.unit.isComponent }?.index ?? endOfTask
    }

    private func withOwnLineEnds(_ unit: ICalendarUnit) -> ICalendarUnit {
        ICalendarUnit(name: unit.name, isComponent: unit.isComponent, text: withOwnLineEnds(unit.text))
    }

    private func withOwnLineEnds(_ text: String) -> String {
        lineEnd == "\n" ? text.replacing("\r\n", with: "\n") : text
    }
}
