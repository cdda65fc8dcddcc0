internal import CivilTime
internal import ObjectStore
internal import TodoAPI
internal import Varlink

/// Opens a text in any of the import formats. It does not depend on the daemon, so it works on any queue.
struct ImportReader: Sendable {
    private let zone: TimeZoneRules
    private let defaultTime: Int
    private let store: StoreConfiguration
    private let now: Timestamp

    init(_ service: ServiceContext) {
        zone = service.times.zone
        defaultTime = service.times.defaultTime
        store = service.store.configuration
        now = service.times.now()
    }

    /// Returns the content of a text. If `format` is `nil`, the format is found from the text.
    ///
    /// It consumes the text, because a format that does not keep the text frees the memory as soon as it can.
    func content(
        of text: consuming String, _ format: Import.Format?, project: String?
    ) throws -> any ImportContent {
        guard let start = text.utf8.firstIndex(where: { $0 > UInt8(ascii: " ") }) else {
            throw APIError.invalidValue(field: "text", reason: "it is empty")
        }
        switch format {
        case .json: return try OwnContent(try outline(of: text), in: text)
        case .taskwarrior: return try tasks(try outline(of: text), in: text)
        case .icalendar: return try calendar(text)
        case .coredata: return try document(text)
        case .todotxt: return TodoTxtContent(text, zone: zone)
        case .todoist: return try tasks(text, ofProject: project)
        case nil: break
        }
        switch text.utf8[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let outline = try outline(of: text)
            if OwnContent.resembles(outline) { return try OwnContent(outline, in: text) }
            if TaskwarriorContent.resembles(outline, in: text) {
                return try tasks(outline, in: text)
            }
            throw unknownFormat("it is JSON of another program")
        case UInt8(ascii: "<"): return try document(text)
        default:
            let line = String(text.unicodeScalars[start...].prefix(64)).prefix { !$0.isNewline }
            if Import.isTodoist(line) { return try tasks(text, ofProject: project) }
            guard line.uppercased().hasPrefix("BEGIN:VCALENDAR") else {
                throw unknownFormat("it begins with '\(line)'")
            }
            return try calendar(text)
        }
    }

    private func unknownFormat(_ appearance: String) -> APIError {
        let known = Import.Format.allCases.map(\.rawValue).joined(separator: ", ")
        return .invalidValue(
            field: "text", reason: "\(appearance), which is none of the formats \(known)")
    }

    private func tasks(_ outline: JSONOutline, in text: String) throws -> any ImportContent {
        try TaskwarriorContent(outline, in: text, zone: zone)
    }

    private func calendar(_ text: String) throws -> any ImportContent {
        try CalendarContent(text, zone: zone, defaultTime: defaultTime)
    }

    private func tasks(_ text: String, ofProject name: String?) throws -> any ImportContent {
        try TodoistContent(text, project: name, now: now, zone: zone)
    }

    private func document(_ text: consuming String) throws -> any ImportContent {
        try CoreDataContent(text, in: WorkDirectory(beside: store))
    }

    private func outline(of text: String) throws(APIError) -> JSONOutline {
        do throws(JSONError) {
            return try JSONOutline(of: text)
        } catch {
            throw .invalidValue(field: "text", reason: "it is not JSON: \(error)")
        }
    }
}
