/// Cuts an iCalendar file into its components, one after the other: of each task the line where it begins and its
/// text, the time zones, and the names of the others.
struct ICalendarScanner {
    enum Part {
        case task(ICalendarPart)
        case timeZone(String)
        /// Such as VEVENT.
        case other(String)
    }

    private let text: String
    private var position = 0
    private var lineNumber = 0
    /// The components that have begun and not ended.
    private var open: [(name: String, line: Int)] = []
    private var sawCalendar = false

    init(_ text: String) {
        self.text = text
    }

    /// Nil at the end of a file that is whole.
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
                    reason: "this is no iCalendar file; it would begin with BEGIN:VCALENDAR")
            }
            if open.count > 1 { lines += line + "\r\n" }
            guard let end = Self.component(line, "END:") else { continue }
            guard open.last?.name == end else {
                throw .init(line: lineNumber, reason: "END:\(end) ends nothing that began")
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
            throw .init(line: open.line, reason: "\(open.name) begins here and never ends")
        }
        guard sawCalendar else { throw .init(line: 1, reason: "the file is empty") }
        return nil
    }

    /// A line without its end: CR LF, LF or CR. Unicode knows more, which stand in the text of a property here.
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

    /// The name after `BEGIN:` or `END:`, in whatever case they stand.
    private static func component(_ line: Substring, _ prefix: StaticString) -> String? {
        let count = prefix.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
        guard line.utf8.count > count,
            // Setting this bit makes a capital letter a small one, and leaves the colon alone.
            line.utf8.prefix(count).elementsEqual(wanted, by: { $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return Substring(line.utf8.dropFirst(count).prefix { $0 > 0x20 }).uppercased()
    }
}

/// A task as it is written in a file, and the line where it begins.
struct ICalendarPart {
    let line: Int
    let text: String

    /// The value of the first property with this name in capitals, as it is written. libical drops a value that it cannot read.
    func writtenValue(_ name: String) -> String? {
        var depth = 0
        var value: [UInt8]?
        for line in text.utf8.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if value != nil {
                // A line that begins with a space or a tab continues the one before.
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
        // Setting this bit makes a capital letter a small one, and leaves the colon alone.
        line.count >= prefix.utf8.count && zip(line, prefix.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// The bytes after the colon that ends the name and its parameters; `nil` if the line has a longer name.
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
