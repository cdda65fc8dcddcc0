import CivilTime
import Foundation
import TestSupport
import Testing
import Varlink

/// Imports of unusual and damaged files. A second import of the same file changes nothing, and a file with an error is
/// refused as a whole.
@Suite(.waiting) struct ImportTwiceTests {
    struct File: Sendable {
        let format: String
        let text: String

        static func tasks(_ members: String) -> File {
            File(format: "taskwarrior", text: #"[{"uuid":"a","description":"x",\#(members)}]"#)
        }

        static func json(_ members: String) -> File {
            File(
                format: "json",
                text: #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x",\#(members)}]}"#)
        }

        static func calendar(_ lines: String...) -> File {
            let all =
                ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a"] + lines + [
                    "END:VTODO", "END:VCALENDAR",
                ]
            return File(format: "icalendar", text: all.joined(separator: "\r\n") + "\r\n")
        }
    }

    @Test(arguments: [
        File.tasks(#""project":" Home ""#), .json(#""category":" Home ""#),
        .calendar("SUMMARY:x", "CATEGORIES: Home "),
        // A snooze that has ended sends no alert.
        .tasks(#""wait":"20200101T000000Z""#), .json(#""snoozedUntil":"2020-01-01T00:00:00Z""#),
        .calendar("SUMMARY:x", "X-TODOD-SNOOZED-UNTIL:20200101T000000Z"),
        .json(#""completed":true,"snoozedUntil":"2999-01-01T00:00:00Z""#),
        // The alert is centuries from now, or the rule has more occurrences than exist.
        .calendar(
            "SUMMARY:x", "DUE:29990101T000000Z", "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:29000101T000000Z",
            "ACTION:DISPLAY", "END:VALARM"),
        .calendar(
            "SUMMARY:x", "DUE:29990101T000000Z", "RRULE:FREQ=DAILY", "X-TODOD-OCCURRENCES-DONE:99999999999"),
        .json(#""told":{"leads":[{"lead":5}]}"#),
        // Line separators of Unicode.
        .calendar("SUMMARY:one\u{2028}two\u{85}three"),
    ])
    func unusualItemIsImportedOnceWithoutAlert(file: File) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let call = #"{"text":\#(JSON.string(file.text).text),"format":"\#(file.format)"}"#
        let first = try sandbox.call("Import", call)
        #expect(first.integer("added") == 1, "\(first)")
        let export = try sandbox.call("Export").text("text")
        let second = try sandbox.call("Import", call)
        #expect(second.integer("unchanged") == 1 && second.integer("updated") == 0, "\(second)")
        #expect(try sandbox.call("Export").text("text") == export)
        #expect(try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]?.object?["lastAlert"] == nil)
    }

    /// In the file, one category has the name of another category in the store.
    @Test func categoryKeepsItsNameIfAnotherHasTheNewOne() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        func importing(_ categories: String, _ items: String = "") throws -> MethodReply {
            let text = #"{"todod":1,"categories":[\#(categories)],"items":[\#(items)]}"#
            return try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        }
        func category(_ uid: String, _ name: String, muted: Bool, year: Int) -> String {
            let moment = "\(year)-01-01T00:00:00Z"
            return #"{"uid":"\#(uid)","name":"\#(name)","muted":\#(muted),"createdAt":"\#(moment)","#
                + #""modifiedAt":"\#(moment)"}"#
        }
        let both = [
            category("a", "Home", muted: false, year: 2025), category("b", "House", muted: false, year: 2025),
        ]
        #expect(try importing(both.joined(separator: ",")).integer("categoriesAdded") == 2)
        let reply = try importing(
            category("a", "House", muted: true, year: 2026), #"{"uid":"i","name":"x","category":"House"}"#)
        #expect(reply.integer("categoriesUpdated") == 1 && reply.integer("added") == 1, "\(reply)")
        let list = try sandbox.todoctl("category").output
        #expect(try sandbox.call("ListItems").items.first?["category"] == .string("Home"))
        #expect(list.contains("Home") && list.contains("House"))
    }

    /// An alert is not sent twice, whichever of the two states of the item is kept.
    @Test func importRepeatsNoAlert() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        func importing(_ fields: String) throws -> MethodReply {
            let text = File.json(#""due":"2999-01-01T12:00:00Z",\#(fields)"#).text
            return try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        }
        func item() throws -> JSONObject? {
            try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]?.object
        }
        let sent = #""lastAlert":"2026-01-02T00:00:00Z","told":{"due":"2999-01-01T12:00:00Z"}"#
        #expect(try importing(#""modifiedAt":"2026-01-01T00:00:00Z",\#(sent)"#).integer("added") == 1)
        // The file was written before the snooze ended.
        let snoozed = #""snoozedUntil":"2026-01-01T12:00:00Z","told":{}"#
        #expect(
            try importing(#""modifiedAt":"2026-01-01T00:00:00Z",\#(snoozed)"#).integer("unchanged") == 1)
        #expect(try item()?["snoozedUntil"] == nil)
        // In the file, the item was changed later, but its last alert is earlier.
        let other = #""notes":"n","lastAlert":"2026-01-01T06:00:00Z","told":{}"#
        #expect(try importing(#""modifiedAt":"2026-01-03T00:00:00Z",\#(other)"#).integer("updated") == 1)
        #expect(try item()?["notes"] == .string("n"))
        #expect(try item()?.moment("lastAlert") == RFC3339.moment("2026-01-02T00:00:00Z"))
        #expect(try item()?["nextAlert"] == nil)
    }

    @Test(arguments: [
        (File.json(#""occurrencesDone":-1"#), "items[0].occurrencesDone"),
        (.json(#""occurrencesDone":3000000000"#), "items[0].occurrencesDone"),
        (.json(#""leads":[60,3000000000]"#), "items[0].leads[1]"),
        (.json(#""priority":-1},{"uid":"b","name":"y""#), "items[0].priority"),
        (.json(#""priority":1},{"uid":"a","name":"y""#), "items[1].uid"),
    ])
    func impossibleValueIsNamed(file: File, field: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(file.text).text)}"#)
        #expect(reply.text("field") == field, "\(reply)")
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    // MARK: - Damaged files

    /// `TODOD_FILES=1000 swift test --filter ImportTwiceTests` tries more seeds.
    private static let count = ProcessInfo.processInfo.environment["TODOD_FILES"].flatMap { Int($0) } ?? 60

    @Test(arguments: ["json", "icalendar", "taskwarrior", "coredata", "todotxt"])
    func mutatedFileIsImportedOnceOrRefused(format: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let good = try goodFile(format, sandbox)
        var random = SplitMix(state: 5)
        for round in 0..<Self.count {
            let text = Self.mutated(good, &random)
            let call = #"{"text":\#(JSON.string(text).text),"format":"\#(format)"}"#
            let before = try sandbox.call("Export").text("text")
            let first = try sandbox.call("Import", call)
            let after = try sandbox.call("Export").text("text")
            if first.error != nil {
                #expect(after == before, "round \(round): \(first)\n\(text)")
                continue
            }
            let second = try sandbox.call("Import", call)
            let counts = ["added", "updated"].map { second.integer($0) }
            #expect(counts == [0, 0], "round \(round): \(second)\n\(text)")
            let again = try sandbox.call("Export").text("text")
            #expect(again == after, "round \(round): \(second)\n\(text)")
        }
    }

    private func goodFile(_ format: String, _ sandbox: Sandbox) throws -> String {
        if format == "taskwarrior" {
            return #"""
                [{"id":1,"description":"Call \"Zoë\"","due":"20310501T070000Z","entry":"20261101T101112Z",
                  "modified":"20261102T000000Z","priority":"H","project":"Home","status":"pending","tags":["x"],
                  "uuid":"296d835e-8f85-4224-8f36-c612cad1b9f8","wait":"20310401T070000Z",
                  "annotations":[{"entry":"20261101T101112Z","description":"after lunch"}]},
                 {"id":0,"description":"Old","end":"20261103T000000Z","status":"completed","uuid":"b"},
                 {"id":0,"description":"Gone","status":"deleted","uuid":"c"}]
                """#
        }
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        for arguments in [
            ["Pay the rent", "--due", "2031-05-01 09:00", "--category", "Home", "--lead", "1d,1h"],
            ["Old bill", "--due", "2020-01-01 10:00", "--past", "--mute"],
            ["Water the plants", "--every", "2 weeks on mon,fri 9 times", "--due", "2031-05-05 10:00"],
            ["Read", "--notes", "One\nTwo", "--priority", "3"],
        ] { #expect(try sandbox.run("todoctl", ["add"] + arguments).status == 0) }
        #expect(try sandbox.todoctl("done", "4").status == 0)
        #expect(try sandbox.todoctl("snooze", "1", "2031-01-01").status == 0)
        return try #require(sandbox.call("Export", #"{"format":"\#(format)"}"#).text("text"))
    }

    /// Applies a few changes of the kind that a disk, an editor or a careless program makes.
    private static func mutated(_ text: String, _ random: inout SplitMix) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0...Int.random(in: 0...3, using: &random) where !scalars.isEmpty {
            let start = Int.random(in: scalars.indices, using: &random)
            let end = min(start + Int.random(in: 1...40, using: &random), scalars.count)
            switch Int.random(in: 0...5, using: &random) {
            case 0: scalars.removeSubrange(start..<end)
            case 1: scalars.insert(contentsOf: scalars[start..<end], at: start)
            case 2:
                let digits = scalars.indices.filter { scalars[$0].properties.numericType != nil }
                if let digit = digits.randomElement(using: &random) {
                    let others: [Unicode.Scalar] = ["0", "9", "-", "."]
                    scalars[digit] = others.randomElement(using: &random) ?? "0"
                }
            case 3:
                let odd: [Unicode.Scalar] = [
                    "\0", "\"", "\n", "\\", ";", ":", "{", "\u{2028}", "\u{FEFF}", "9", " ",
                ]
                scalars[start] = odd.randomElement(using: &random) ?? " "
            case 4: scalars.swapAt(start, end - 1)
            default: if Int.random(in: 0...5, using: &random) == 0 { scalars.removeSubrange(start...) }
            }
        }
        var mutated = String.UnicodeScalarView()
        mutated.append(contentsOf: scalars)
        return String(mutated)
    }
}

extension JSON {
    fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}
