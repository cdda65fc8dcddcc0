/// A property of a task with its folded lines, or a component in the task, as it is written.
struct ICalendarUnit: Hashable {
    /// The name of the property or the component in upper case.
    let name: String
    let isComponent: Bool
    /// The lines, each with its end.
    private(set) var text: String

    init(name: String, isComponent: Bool = false, text: String) {
        self.name = name
        self.isComponent = isComponent
        self.text = text
    }

    /// Returns the properties and the components between the first BEGIN and its END.
    ///
    /// A component without END is omitted with all that follows it, and so is an empty line.
    static func units(in text: String) -> [ICalendarUnit] {
        var units: [ICalendarUnit] = []
        var open: [String] = []
        /// The component that has begun in the outermost one.
        var component: ICalendarUnit?
        for line in lines(of: text) {
            if let begin = name(of: line, after: "BEGIN:") {
                open.append(begin)
                if open.count == 2 { component = ICalendarUnit(name: begin, isComponent: true, text: "") }
                if open.count > 1 { component?.text += Substring(line) }
            } else if let end = name(of: line, after: "END:") {
                guard open.popLast() == end, !open.isEmpty else { break }
                component?.text += Substring(line)
                guard open.count == 1, let ended = component else { continue }
                units.append(ended)
                component = nil
            } else if open.count == 1 {
                units.append(ICalendarUnit(name: name(of: line), text: String(Substring(line))))
            } else if open.count > 1 {
                component?.text += Substring(line)
            }
        }
        return units
    }

    /// Returns the name of the component that a line begins or ends, or `nil` if it is another line.
    private static func name(of line: Substring.UTF8View, after prefix: StaticString) -> String? {
        // Most lines differ in the first letter.
        guard let first = line.first, first | 0x20 == prefix.utf8Start.pointee | 0x20 else { return nil }
        return ICalendarScanner.component(Substring(line.prefix { $0 != 0x0D && $0 != 0x0A }), prefix)
    }

    /// Returns the name of a property in upper case.
    private static func name(of line: Substring.UTF8View) -> String {
        let name = line.prefix(while: isOfName)
        let end = line[name.endIndex...].first
        if end == UInt8(ascii: ":") || end == UInt8(ascii: ";"), name.count <= ICalendarProperty.nameBytes {
            return Substring(name).uppercased()
        }
        // The name is folded, or the line is no property.
        return ICalendarProperty(unfolded(line)[...], of: nil).name
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The property without its folds. Only a unit that is not a component has one.
    var property: ICalendarProperty { ICalendarProperty(unfolded[...], of: nil) }

    /// The bytes without folds and without the end of the last line.
    var unfolded: [UInt8] { Self.unfolded(text.utf8[...]) }

    /// The lines of a component, each without its folds and its end.
    var unfoldedLines: [[UInt8]] { Self.lines(of: text).map(Self.unfolded) }

    /// Whether the text has a control character that no line of iCalendar may have.
    var hasControls: Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x7F }
    }

    /// Returns the lines that are not empty, each with the lines that continue it and with its end.
    private static func lines(of text: String) -> [Substring.UTF8View] {
        logicalLines(of: text).filter { $0.first != 0x0A && $0.first != 0x0D }
    }

    /// Returns the lines, each with the lines that continue it and with its end. Together they are the text.
    static func logicalLines(of text: String) -> [Substring.UTF8View] {
        var text = text
        let ends = text.withUTF8(ends(of:))
        let bytes = text.utf8
        var start = bytes.startIndex
        return ends.map { end in
            defer { start = bytes.index(bytes.startIndex, offsetBy: end) }
            return bytes[start..<bytes.index(bytes.startIndex, offsetBy: end)]
        }
    }

    /// Returns the offset of the end of each line with the lines that continue it.
    private static func ends(of bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var ends: [Int] = []
        var position = 0
        while position < bytes.count {
            position = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let isContinued = position < bytes.count && (bytes[position] == 0x20 || bytes[position] == 0x09)
            if !isContinued { ends.append(position) }
        }
        return ends
    }

    private static func unfolded(_ line: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count)
        var isAtBegin = false
        for byte in line {
            // The first byte of a line that continues another one is a space or a tab.
            if !isAtBegin, byte != 0x0A, byte != 0x0D { bytes.append(byte) }
            isAtBegin = byte == 0x0A
        }
        return bytes
    }
}
