internal import CivilTime

/// A property of iCalendar in the text of a conflict: `DUE;TZID=Europe/Berlin:20261127T090000`.
struct CalendarLine: Equatable {
    let name: String
    let parameters: [String: String]
    let value: String

    /// Returns the properties of a text. A component, such as `VALARM`, becomes one property with its lines as the value.
    static func lines(of text: String) -> [CalendarLine] {
        var found: [CalendarLine] = []
        var component: (name: String, lines: [String])?
        for line in unfolded(text) {
            if let open = component {
                if line.uppercased() == "END:\(open.name)" {
                    found.append(
                        .init(name: open.name, parameters: [:], value: open.lines.joined(separator: ", ")))
                    component = nil
                } else {
                    component?.lines.append(line)
                }
            } else if line.uppercased().hasPrefix("BEGIN:") {
                component = (line.dropFirst("BEGIN:".count).uppercased(), [])
            } else if let line = CalendarLine(line) {
                found.append(line)
            }
        }
        return found
    }

    /// Returns the lines of a text. A line that begins with a space or a tab continues the line before it.
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(whereSeparator: { $0.isNewline }) {
            if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    private init(name: String, parameters: [String: String], value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// Reads a line, or returns `nil` if it has no colon.
    private init?(_ line: String) {
        var isQuoted = false
        let colon = line.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ":" && !isQuoted
        }
        guard let colon else { return nil }
        let head = line[..<colon].split(separator: ";")
        var parameters: [String: String] = [:]
        for parameter in head.dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            parameters[parts[0].uppercased()] = parts[1].filter { $0 != "\"" }
        }
        self.init(
            name: head.first?.uppercased() ?? "", parameters: parameters,
            value: String(line[line.index(after: colon)...]))
    }

    // MARK: - Values

    /// The value as text, without the backslashes of iCalendar.
    var text: String {
        var text = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                text.append(character.lowercased() == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// The value as a time, or `nil` if it is none, or is in a zone that this machine does not know.
    var time: CalendarTime? {
        let digits = Array(value.utf8)
        guard digits.count >= 8, let date = Self.spaced(digits[0..<8], "-", [4, 6]) else { return nil }
        if digits.count == 8 { return CalendarTime(date) }
        guard digits.count >= 15, digits[8] == UInt8(ascii: "T"),
            let clock = Self.spaced(digits[9..<15], ":", [2, 4])
        else { return nil }
        let isUTC = digits.count == 16 && digits[15] == UInt8(ascii: "Z")
        guard isUTC || digits.count == 15 else { return nil }
        if isUTC { return CalendarTime("\(date)T\(clock)Z") }
        let floating = CalendarTime("\(date)T\(clock)")
        guard let name = parameters["TZID"] else { return floating }
        return TimeZoneRules(named: name).flatMap { zone in floating.map { .moment($0.moment(in: zone)) } }
    }

    /// Returns the digits with a separator at some positions, or `nil` if they are no digits.
    private static func spaced(
        _ digits: ArraySlice<UInt8>, _ separator: Character, _ positions: Set<Int>
    ) -> String? {
        var text = ""
        for (position, digit) in digits.enumerated() {
            guard (0x30...0x39).contains(digit) else { return nil }
            if positions.contains(position) { text.append(separator) }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }
}
