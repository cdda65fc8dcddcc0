/// A scanner that splits an iCalendar file into its components.
///
/// It returns the first line and the text of each task, the text of each time zone, and the names of other components.
struct ICalendarScanner {
    enum Part {
        case task(ICalendarPart)
        case timeZone(String)
        /// The name of another component, such as VEVENT.
        case other(String)
        /// The name of a property of the calendar itself that may hold data of the user, such as X-WR-CALNAME.
        case calendarProperty(String)
    }

    private let text: String
    private var position = 0
    private var lineNumber = 0
    /// The components that have begun and not yet ended.
    private var open: [(name: String, line: Int)] = []
    private var sawCalendar = false
    /// Whether todod wrote the current calendar.
    private(set) var isOwn = false
    /// The most components that are inside of each other. libical reads each level with one more call.
    private static let depthLimit = 100
    /// The properties of a calendar that describe the file.
    private static let fileProperties: Set = ["VERSION", "PRODID", "CALSCALE", "METHOD"]

    init(_ text: String) {
        self.text = text
    }

    /// Returns the next component, or `nil` at the end of a complete file.
    mutating func next() throws(ICalendarReader.Failure) -> Part? {
        var lines = ""
        while let line = nextLine() {
            if let begin = Self.component(line, "BEGIN:") {
                guard !open.isEmpty || begin == "VCALENDAR" || !sawCalendar else {
                    throw .init(line: lineNumber, reason: "BEGIN:\(begin) is outside of a VCALENDAR")
                }
                guard open.count < Self.depthLimit else {
                    throw .init(
                        line: lineNumber,
                        reason: "more than \(Self.depthLimit) components are inside of each other")
                }
                open.append((begin, lineNumber))
                sawCalendar = sawCalendar || begin == "VCALENDAR"
                if open.count == 1 { isOwn = false }
            }
            guard sawCalendar || line.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) else {
                throw .init(
                    line: lineNumber,
                    reason: "this is not an iCalendar file, which begins with BEGIN:VCALENDAR")
            }
            if open.count == 1, line.hasPrefix(ICalendarWriter.producer) { isOwn = true }
            if open.count > 1 {
                lines += line
                lines += "\r\n"
            }
            guard let end = Self.component(line, "END:") else {
                if open.count < 2, let name = Self.calendarProperty(line) { return .calendarProperty(name) }
                continue
            }
            guard open.last?.name == end else {
                throw .init(line: lineNumber, reason: "END:\(end) has no matching BEGIN")
            }
            let begun = open.removeLast()
            guard open.count == 1 else { continue }
            switch begun.name {
            case "VTODO": return .task(ICalendarPart(line: begun.line, text: lines))
            case "VTIMEZONE": return .timeZone(lines)
            default: return .other(begun.name)
            }
        }
        if let open = open.last {
            throw .init(line: open.line, reason: "\(open.name) has no matching END")
        }
        guard sawCalendar else { throw .init(line: 1, reason: "the file is empty") }
        return nil
    }

    /// Returns the next line without its end: CR LF, LF or CR.
    ///
    /// Other line breaks of Unicode are part of a property's text.
    private mutating func nextLine() -> Substring? {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: position)
        guard start < bytes.endIndex else { return nil }
        lineNumber += 1
        let rest = bytes[start...]
        let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
        var next = end
        if next < rest.endIndex {
            let isReturn = rest[next] == 0x0D
            next = rest.index(after: next)
            if isReturn, next < rest.endIndex, rest[next] == 0x0A { next = rest.index(after: next) }
        }
        position += rest.distance(from: start, to: next)
        return text[start..<end]
    }

    /// Returns the name of a calendar's property with a value, or `nil` for a line without data of the user.
    private static func calendarProperty(_ line: Substring) -> String? {
        let property = ICalendarProperty(line.utf8, of: nil)
        guard line.first.map(\.isWhitespace) == false, property.name != "BEGIN", property.value != "",
            !fileProperties.contains(property.name)
        else { return nil }
        return property.name
    }

    /// Returns the name after `BEGIN:` or `END:` in upper case, or `nil` if the line begins with neither.
    ///
    /// The comparison ignores case.
    static func component(_ line: Substring, _ prefix: StaticString) -> String? {
        let count = prefix.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
        guard line.utf8.count > count,
            // This bit turns an uppercase letter into a lowercase one and does not change the colon.
            line.utf8.prefix(count).elementsEqual(wanted, by: { $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return Substring(line.utf8.dropFirst(count).prefix { $0 > 0x20 }).uppercased()
    }
}

/// The text of a task in a file, and its first line.
struct ICalendarPart {
    let line: Int
    let text: String
    /// The properties of the task and of its alarms, as they are written. libical drops values that it cannot read.
    let properties: [ICalendarProperty]
    /// Whether the task has NUL characters, which are removed. libical would not read any further.
    let hasNUL: Bool

    init(line: Int, text: String) {
        self.line = line
        hasNUL = text.utf8.contains(0)
        self.text = hasNUL ? text.replacing("\0", with: "") : text
        properties = Self.properties(in: self.text)
    }

    /// Returns the value of the task's first property with this name in upper case, as it is written.
    func writtenValue(_ name: String) -> String? {
        properties.first { $0.component == nil && $0.name == name }?.value
    }

    /// Whether the task has a property with this name in upper case and with a value.
    func has(_ name: String) -> Bool {
        properties.contains { $0.component == nil && $0.name == name && $0.value?.isEmpty == false }
    }

    private static func properties(in text: String) -> [ICalendarProperty] {
        var properties: [ICalendarProperty] = []
        /// The components that have begun and not yet ended, the task first.
        var open: [String] = []
        for line in unfoldedLines(of: text) {
            let property = ICalendarProperty(line[...], of: open.count == 2 ? open[1] : nil)
            switch property.name {
            case "BEGIN":
                let name = (property.value ?? "").uppercased()
                if open.count == 1, name != "VALARM" {
                    // Any other component is like a property that items do not have.
                    properties.append(ICalendarProperty(component: nil, name: name, value: name))
                }
                open.append(name)
            case "END": open.removeLast(min(1, open.count))
            default:
                if open.count == 1 || open.count == 2 && open[1] == "VALARM" { properties.append(property) }
            }
        }
        return properties
    }

    /// Returns the lines that are not empty. A line that begins with a space or a tab continues the previous one.
    private static func unfoldedLines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for line in text.utf8.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.first == 0x20 || line.first == 0x09, !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else if !line.isEmpty {
                lines.append(Array(line))
            }
        }
        return lines
    }
}

/// A property of a task, as it is written.
struct ICalendarProperty {
    /// The name of the component in the task that has the property, or `nil` for the task itself.
    let component: String?
    /// The name in upper case. For a line that is not a property, it is the beginning of the line.
    let name: String
    /// The text after the colon that ends the name and its parameters, or `nil` for a line that is not a property.
    let value: String?
    /// The parameters as they are written, such as `FMTTYPE=text/plain;LABEL="A; B"`.
    var parameterText = ""

    /// The kind of relation of `RELATED-TO`, in upper case.
    var relation: String { parameter("RELTYPE")?.uppercased() ?? "PARENT" }

    /// Returns the value of a parameter with this name in upper case, or `nil` if there is none.
    ///
    /// It is decoded as RFC 6868 says: `^n` is a line break, `^'` a quotation mark and `^^` a circumflex.
    func parameter(_ name: String) -> String? {
        var isQuoted = false
        let parts = parameterText.split(whereSeparator: { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        })
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].uppercased() == name else { continue }
            return Self.decoded(pair[1].filter { $0 != "\"" })
        }
        return nil
    }

    private static func decoded(_ value: String) -> String {
        var decoded = ""
        var rest = value[...]
        while let character = rest.popFirst() {
            guard character == "^", let next = rest.first, let meant = ["n": "\n", "'": "\"", "^": "^"][next]
            else {
                decoded.append(character)
                continue
            }
            rest.removeFirst()
            decoded += meant
        }
        return decoded
    }
}

extension ICalendarProperty {
    /// The length at which a name is truncated.
    static let nameBytes = 64

    init(_ line: some BidirectionalCollection<UInt8>, of component: String?) {
        var isQuoted = false
        let colon = line.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
        let head = line[..<(colon ?? line.endIndex)]
        let name = head.prefix { $0 != UInt8(ascii: ";") }.prefix(ICalendarProperty.nameBytes)
        let parameters = head.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        self.init(
            component: component,
            name: String(decoding: name, as: UTF8.self).uppercased(),
            value: colon.map { String(decoding: line[$0...].dropFirst(), as: UTF8.self) },
            parameterText: String(decoding: parameters, as: UTF8.self))
    }
}
