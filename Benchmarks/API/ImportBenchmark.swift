/// The time to import iCalendar tasks, compared with the time to import the same tasks as JSON.
struct ImportBenchmark {
    private static let taskCount = 4_000
    private static let rounds = 7
    /// The number of bytes of the text in one call, so that each call fits into a message.
    private static let textBytes = 256 << 10
    private static let limit = 2.5

    private let descriptor: Int32

    init(socket: String) {
        descriptor = Wire.connect(socket)
    }

    func run() {
        var times: [(json: Double, calendar: Double)] = []
        for round in 0..<Self.rounds {
            let json = importTime(of: Self.json(prefix: "json-\(round)"))
            times.append((json, importTime(of: Self.calendar(prefix: "calendar-\(round)"))))
        }
        let ratio = median(times.map { $0.calendar / $0.json })
        print(
            "| import of \(Self.taskCount) iCalendar tasks | \(milliseconds(times.map(\.json))) as JSON "
                + "| \(milliseconds(times.map(\.calendar))) "
                + "| \(rounded(ratio))\(ratio > Self.limit ? " (over)" : "") | \(Self.limit) |")
    }

    private func milliseconds(_ seconds: [Double]) -> String {
        "\(rounded(median(seconds) * 1e3)) ms"
    }

    // MARK: - The tasks

    private static func calendar(prefix: String) -> String {
        let tasks = (0..<taskCount).map { number in
            """
            BEGIN:VTODO\r
            UID:\(prefix)-\(number)\r
            DTSTAMP:20261120T090000Z\r
            SUMMARY:\(name(number))\r
            DESCRIPTION:\(notes)\r
            DUE:20310101T090000Z\r
            PRIORITY:5\r
            RRULE:FREQ=WEEKLY;BYDAY=WE\r
            END:VTODO\r\n
            """
        }
        return
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//todod//benchmark//EN\r\n\(tasks.joined())END:VCALENDAR\r\n"
    }

    private static func json(prefix: String) -> String {
        let items = (0..<taskCount).map { number in
            #"{"uid":"\#(prefix)-\#(number)","name":"\#(name(number))","notes":"\#(notes)","#
                + #""due":"2031-01-01T09:00:00Z","priority":5,"recurrence":"FREQ=WEEKLY;BYDAY=WE"}"#
        }
        return #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
    }

    private static func name(_ number: Int) -> String { "Task \(number) of a long list" }

    private static let notes = "Bring the papers and the key of the cellar"

    // MARK: - The calls

    private func importTime(of text: String) -> Double {
        let calls = Self.calls(text)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return seconds {
            for call in calls {
                Wire.send(call, to: descriptor)
                let count = Wire.receive(1, from: descriptor, into: &buffer)
                let reply = String(decoding: buffer.prefix(count), as: UTF8.self)
                guard !reply.contains(#""error""#) else { fatalError("the import was refused: \(reply)") }
            }
        }
    }

    private static func calls(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: textBytes).map { start in
            let end = min(start + textBytes, bytes.count)
            let parameters =
                #"{"text":\#(quoted(bytes[start..<end])),"continues":\#(end < bytes.count)}"#
            return Array(#"{"method":"dev.todod.Todo.Import","parameters":\#(parameters)}"#.utf8) + [0]
        }
    }

    /// Returns ASCII text as a JSON string.
    private static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
        var text = "\""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): text += "\\\""
            case UInt8(ascii: "\\"): text += "\\\\"
            case UInt8(ascii: "\r"): text += "\\r"
            case UInt8(ascii: "\n"): text += "\\n"
            default: text.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        return text + "\""
    }
}
