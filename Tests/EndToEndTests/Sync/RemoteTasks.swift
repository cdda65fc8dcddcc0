import Foundation
import TestServers
import Testing

/// A list of one test on a real server, as another program uses it.
struct RemoteTasks {
    let server: TestServer
    let name: String
    var path: String { "\(server.kind.homePath)\(name)/" }

    /// Makes a list.
    ///
    /// - Parameter component: the kind of its entries, such as `VEVENT`.
    init(_ kind: ServerKind, component: String = "VTODO") throws {
        try self.init(on: .shared(kind), component: component)
    }

    init(on server: TestServer, name: String? = nil, component: String = "VTODO") throws {
        self.server = server
        self.name = name ?? "list-\(UUID().uuidString.prefix(8).lowercased())"
        let body = """
            <?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>\
            <D:displayname>\(self.name)</D:displayname><C:supported-calendar-component-set><C:comp name="\(component)"/>\
            </C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>
            """
        let answer = try send("MKCALENDAR", headers: ["Content-Type": "application/xml"], body: body)
        try #require(answer.status == 201, "\(answer)")
    }

    // MARK: - Requests

    @discardableResult
    func send(
        _ method: String, _ file: String = "", headers: [String: String] = [:], body: String = ""
    ) throws -> RawExchange {
        let credentials = Data("\(TestServer.user):\(TestServer.password)".utf8).base64EncodedString()
        return try RawExchange(
            method, port: server.port, path: path + file,
            headers: headers.merging(["Authorization": "Basic \(credentials)"]) { $1 }, body: body)
    }

    /// The names of the files.
    func files() throws -> [String] {
        let body = #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><getetag/></prop></propfind>"#
        let answer = try send(
            "PROPFIND", headers: ["Depth": "1", "Content-Type": "application/xml"], body: body)
        try #require(answer.status == 207, "\(answer)")
        return answer.body.matches(of: #/href>[^<]*\/([^<\/]+\.ics)</#).map { String($0.1) }.sorted()
    }

    func text(_ file: String) throws -> String {
        let answer = try send("GET", file)
        try #require(answer.status == 200, "\(file): \(answer)")
        return answer.body
    }

    func texts() throws -> [String] { try files().map { try text($0) } }

    /// The text of the only task with a name.
    func text(named name: String) throws -> String {
        let found = try texts().filter { $0.contains("\r\nSUMMARY:\(name)\r\n") }
        try #require(found.count == 1, "\(name): \(found)")
        return found[0]
    }

    /// The names of the tasks. A changed time of a repeating task is no task of its own.
    func names() throws -> [String] { try texts().compactMap(Self.name).sorted() }

    private static func name(in text: String) -> String? {
        let unfolded = text.replacing("\r\n ", with: "")
        for task in unfolded.components(separatedBy: "BEGIN:VTODO\r\n").dropFirst()
        where !task.contains("\r\nRECURRENCE-ID") {
            let own =
                task.components(separatedBy: "BEGIN:VALARM")[0]
                + (task.components(separatedBy: "END:VALARM").last ?? "")
            let lines = own.components(separatedBy: "\r\n")
            guard let line = lines.first(where: { $0.hasPrefix("SUMMARY:") }) else { continue }
            return String(line.dropFirst(8)).replacing("\\,", with: ",").replacing("\\;", with: ";")
        }
        return nil
    }

    func put(_ text: String, to file: String) throws {
        let answer = try send(
            "PUT", file, headers: ["Content-Type": "text/calendar; charset=utf-8"], body: text)
        try #require([200, 201, 204].contains(answer.status), "\(answer)")
    }

    /// Adds a task with lines besides its UID and its name, which are those of the file.
    func add(_ uid: String, name: String? = nil, _ lines: String...) throws {
        try put(Self.text(uid, name: name, lines), to: "\(uid).ics")
    }

    static func text(_ uid: String, name: String? = nil, _ lines: [String], before: [String] = []) -> String {
        let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todod//test//EN"]
        let task = ["BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20260101T000000Z", "SUMMARY:\(name ?? uid)"]
        return (head + before + task + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    /// Changes the text of a task as another program does.
    func edit(_ file: String, _ change: (String) -> String) throws {
        let former = try text(file)
        let changed = change(former)
        #expect(changed != former, "\(file) was not changed: \(former)")
        try put(changed, to: file)
    }

    func delete(_ file: String) throws {
        let answer = try send("DELETE", file)
        try #require([200, 204].contains(answer.status), "\(answer)")
    }
}
