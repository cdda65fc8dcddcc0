/// A scanner that splits an iCalendar file into its components.
///
/// It returns the first line and the text of each task, the text of each time zone, and the names of other components.
struct ICalendarScanner {
    enum Part {
        case task(ICalendarPart)
        case timeZone(String)
        /// The name of another component, such as VEVENT.
        case other(String)
    }

    private let text: String
    private var position = 0
    private var lineNumber = 0
    /// The components that have begun and not yet ended.
    private var open: [(name: String, line: Int)] = []
    private var sawCalendar = false

    init(_ text: String) {
        self.text = text
    }

    /// Returns the next component, or `nil` at the end of a complete file.
    mutating func next() throws(ICalendarReader.Failure) -> Part? {
        var lines = ""
        while let line = nextLine() {
            if let begin = Self.component(line, "BEGIN:") {
                open.append((begin, lineNumber))
                sawCalendar = sawCalendar || begin == "VCALENDAR"
            }
            guard sawCalendar || line.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) else {
                throw .init(
                    line: lineNumber,
                    reason: "this is not an iCalendar file, which begins with BEGIN:VCALENDAR")
            }
            if open.count > 1 { lines += line + "\r\n" }
            guard let end = Self.component(line, "END:") else { continue }
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

    /// Returns the name after `BEGIN:` or `END:` in upper case, or `nil` if the line begins with neither.
    ///
    /// The comparison ignores case.
    private static func component(_ line: Substring, _ prefix: StaticString) -> String? {
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

    /// Returns the value of the first property with this name, as it is written.
    ///
    /// libical drops a value that it cannot read. The name must be in upper case.
    func writtenValue(_ name: String) -> String? {
        var depth = 0
        var value: [UInt8]?
        for line in text.utf8.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if value != nil {
                // A line that begins with a space or a tab continues the previous one.
                guard line.first == 0x20 || line.first == 0x09 else { break }
                value? += line.dropFirst()
            } else if Self.begins(line, with: "BEGIN:") {
                depth += 1
            } else if Self.begins(line, with: "END:") {
                depth -= 1
            } else if depth == 1, Self.begins(line, with: name) {
                value = Self.value(of: line.dropFirst(name.utf8.count))
            }
        }
        return value.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func begins(_ line: Substring.UTF8View, with prefix: String) -> Bool {
        // This bit turns an uppercase letter into a lowercase one and does not change the colon.
        line.count >= prefix.utf8.count && zip(line, prefix.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// Returns the bytes after the colon that ends the name and its parameters, or `nil` if the property has a longer
    /// name.
    private static func value(of rest: Substring.UTF8View) -> [UInt8]? {
        guard rest.first == UInt8(ascii: ":") || rest.first == UInt8(ascii: ";") else { return nil }
        var isQuoted = false
        for index in rest.indices {
            switch rest[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return Array(rest[index...].dropFirst())
            default: break
            }
        }
        return nil
    }
}
