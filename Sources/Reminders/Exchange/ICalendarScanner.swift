/// An iCalendar file cut into its tasks, each with the line where it begins, and the time zones it describes.
struct ICalendarParts {
    struct Task {
        let line: Int
        let text: String
    }

    private(set) var tasks: [Task] = []
    private(set) var timeZones = ""

    init(_ text: String) throws(ICalendarReader.Failure) {
        var open: [(name: String, line: Int)] = []
        var part: [Substring] = []
        var number = 0
        var sawCalendar = false
        // Unicode knows more ends of lines, which stand in the text of a property here.
        let isEnd = { (character: Character) in ["\r\n", "\n", "\r"].contains(character) }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: isEnd) {
            number += 1
            let begin = Self.component(line, "BEGIN:")
            let end = Self.component(line, "END:")
            if let begin {
                open.append((begin, number))
                sawCalendar = sawCalendar || begin == "VCALENDAR"
            }
            guard sawCalendar || line.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) else {
                throw .init(
                    line: number, reason: "this is no iCalendar file; it would begin with BEGIN:VCALENDAR")
            }
            if open.count > 1 { part.append(line) }
            guard let end else { continue }
            guard open.last?.name == end else {
                throw .init(line: number, reason: "END:\(end) ends nothing that began")
            }
            let begun = open.removeLast()
            guard open.count == 1 else { continue }
            let text = part.joined(separator: "\r\n") + "\r\n"
            part = []
            switch begun.name {
            case "VTODO": tasks.append(Task(line: begun.line, text: text))
            case "VTIMEZONE": timeZones += text
            default: break
            }
        }
        if let open = open.last {
            throw .init(line: open.line, reason: "\(open.name) begins here and never ends")
        }
        guard sawCalendar else { throw .init(line: 1, reason: "the file is empty") }
    }

    private static func component(_ line: Substring, _ prefix: String) -> String? {
        guard line.utf8.count > prefix.utf8.count, line.prefix(prefix.count).uppercased() == prefix else {
            return nil
        }
        let name = line.dropFirst(prefix.count).uppercased()
        return String(name.prefix { !$0.isWhitespace })
    }
}
