internal import CivilTime

/// Lines of iCalendar text (RFC 5545), escaped and folded.
struct ICalendarText {
    private static let lineBytesLimit = 75

    private(set) var text = ""

    mutating func begin(_ component: String) { line("BEGIN:\(component)") }
    mutating func end(_ component: String) { line("END:\(component)") }

    /// Writes a property with a text value.
    mutating func text(_ name: String, value: String) {
        line(name + ":" + Self.escaped(value))
    }

    /// Writes a property and, if it cannot contain the exact text, a property of todod that does.
    mutating func text(_ name: String, value: String, exact ownName: String) {
        text(name, value: value)
        if let exact = ICalendarExactText.written(value) { line("\(ownName):\(exact)") }
    }

    mutating func moment(_ name: String, _ moment: Timestamp) {
        if let civil = TimeZoneRules.utc.civil(at: moment) { line("\(name):\(Self.basic(civil))Z") }
    }

    /// Writes a time as the local time of a zone.
    mutating func moment(_ name: String, _ moment: Timestamp, in zone: TimeZoneRules) {
        if let civil = zone.civil(at: moment) { line("\(name);TZID=\(zone.name):\(Self.basic(civil))") }
    }

    /// Writes a moment in UTC, or a date or a time without a time zone.
    mutating func time(_ name: String, _ time: CalendarTime) {
        switch time {
        case .moment(let moment): self.moment(name, moment)
        case .local(let local): self.local(name, local)
        }
    }

    /// Writes a date, or a time without a time zone.
    mutating func local(_ name: String, _ time: LocalTime) {
        switch time {
        case .date(let date):
            line("\(name);VALUE=DATE:\(Self.basic(CivilDateTime(date, secondOfDay: 0)).prefix(8))")
        case .floating(let civil): line("\(name):\(Self.basic(civil))")
        }
    }

    /// Writes one line, and folds it before a character that would exceed the limit.
    mutating func line(_ line: String) {
        if line.utf8.count <= Self.lineBytesLimit {
            text += line
            text += "\r\n"
            return
        }
        var room = Self.lineBytesLimit
        for scalar in line.unicodeScalars {
            let count = UTF8.width(scalar)
            if count > room {
                text += "\r\n "
                room = Self.lineBytesLimit - 1
            }
            text.unicodeScalars.append(scalar)
            room -= count
        }
        text += "\r\n"
    }

    private static func escaped(_ value: String) -> String {
        let value = holdable(value)
        if !value.utf8.contains(where: isEscaped) { return value }
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\n"): true
        default: false
        }
    }

    /// Returns the text without control characters, except line feeds and tabs.
    ///
    /// The format cannot contain any others.
    static func holdable(_ value: String) -> String {
        if value.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || value.unicodeScalars.allSatisfy(isHoldable) {
            return value
        }
        return String(String.UnicodeScalarView(value.unicodeScalars.filter(isHoldable)))
    }

    private static func isHoldable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case ..<0x20, 0x7F..<0xA0: false
        default: true
        }
    }

    /// Returns a time in the basic format: `20261201T090000`.
    static func basic(_ civil: CivilDateTime) -> String {
        let date = civil.date
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        func write(_ number: Int, width: Int) {
            var divisor = width == 4 ? 1_000 : 10
            while divisor > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                divisor /= 10
            }
        }
        write(date.year, width: 4)
        write(date.month, width: 2)
        write(date.day, width: 2)
        bytes.append(UInt8(ascii: "T"))
        write(civil.hour, width: 2)
        write(civil.minute, width: 2)
        write(civil.second, width: 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
