import Foundation
import Testing
import TodoAPI
import Varlink

/// What an iCalendar file of another program has, and the item has no field for.
@Suite struct KeptTextTests {
    private func sandbox(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        return sandbox
    }

    private func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VTODO", "UID:a"] + lines
            + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func importing(_ text: String, _ sandbox: Sandbox) throws -> String {
        try sandbox.write(text, to: "file.ics")
        return try sandbox.todoctl("import", "\(sandbox.directory)/file.ics").output
    }

    private func exported(_ sandbox: Sandbox) throws -> String {
        try sandbox.run(todoctl: "export --format icalendar").replacing(
            #/(DTSTAMP|LAST-MODIFIED):[0-9TZ]+/#, with: "")
    }

    @Test(arguments: ["sqlite", "xml", "binary"]) func foreignTextSurvivesEveryWay(kind: String) throws {
        let sandbox = try sandbox(kind)
        let text = calendar(
            "SUMMARY;LANGUAGE=de:Tee", "LOCATION:Küche", "X-COLOR:#ff0000", "CLASS:PRIVATE",
            "BEGIN:VLOCATION\r\nNAME:Home\r\nEND:VLOCATION")
        #expect(
            try importing(text, sandbox) == """
                1 added
                  CLASS of 1 task kept for exports as iCalendar
                  LOCATION of 1 task kept for exports as iCalendar
                  VLOCATION of 1 task kept for exports as iCalendar
                  X-COLOR of 1 task kept for exports as iCalendar

                """)
        #expect(try importing(text, sandbox).hasPrefix("1 unchanged\n"))
        let calendar = try exported(sandbox)
        #expect(calendar.contains("\r\nLOCATION:Küche\r\n") && calendar.contains("SUMMARY;LANGUAGE=de:Tee"))

        for format in ["json", "icalendar", "coredata"] {
            let other = try self.sandbox(kind)
            try other.write(try sandbox.run(todoctl: "export --format \(format)"), to: "copy")
            _ = try other.run(todoctl: "import \(other.directory)/copy")
            #expect(try exported(other) == calendar, "\(format)")
        }

        _ = try sandbox.run(todoctl: "edit 1 --name Kaffee")
        let edited = try exported(sandbox)
        #expect(edited.contains("\r\nSUMMARY:Kaffee\r\n") && edited.contains("\r\nX-COLOR:#ff0000\r\n"))
        _ = try sandbox.run(todoctl: "undo")
        #expect(try exported(sandbox) == calendar)
        _ = try sandbox.run(todoctl: "delete 1")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try exported(sandbox) == calendar)
    }

    /// A file of a program that does not know a property changes no value of it.
    @Test func fileWithoutAdditionsLeavesThem() throws {
        let sandbox = try sandbox()
        let text = calendar(
            "SUMMARY:x", "X-A:1", "URL:https://example.com", "ATTACH:https://example.com/a",
            "ESTIMATED-DURATION:PT1H", "PERCENT-COMPLETE:30")
        _ = try importing(text, sandbox)
        let known = try exported(sandbox)
        #expect(try importing(calendar("SUMMARY:x"), sandbox) == "1 unchanged\n")
        let result = try importing(calendar("SUMMARY:x", "URL:nonsense"), sandbox)
        #expect(result.contains("its URL 'nonsense' is omitted"), "\(result)")
        #expect(try exported(sandbox).contains("\r\nATTACH:https://example.com/a\r\n"))
        _ = try importing(text, sandbox)
        #expect(try exported(sandbox) == known)
        // A file of todod has every property of its items.
        let own = known.replacing(
            #/(URL|ATTACH|ESTIMATED-DURATION|PERCENT-COMPLETE|X-A):[^\r]+\r\n/#, with: ""
        )
        #expect(try importing(own, sandbox) == "1 updated\n")
        #expect(
            try sandbox.run(todoctl: "list --format '{url}|{links}|{estimate}|{percent}'").filter {
                $0 != "\n"
            }
                == "|||")
        #expect(!(try exported(sandbox).contains("X-A")))
    }

    @Test func importOfOwnFileKeepsLaterSnooze() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Tea --due tomorrow")
        let text = try sandbox.run(todoctl: "export --format icalendar")
        _ = try sandbox.run(todoctl: "snooze 1 2h")
        _ = try importing(text, sandbox)
        #expect(try sandbox.run(todoctl: "show 1").contains("Snoozed"))
        // A file without the time of its last change is not older.
        _ = try importing(text.replacing(#/LAST-MODIFIED:[^\r]+\r\n/#, with: ""), sandbox)
        #expect(try sandbox.run(todoctl: "show 1").contains("Snoozed"))
    }

    @Test func keptTextOfJSONHasALimit() throws {
        let sandbox = try sandbox()
        let remainder = String(repeating: "x", count: 65_537)
        let text =
            #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x","remainder":"\#(remainder)"}]}"#
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        #expect(reply.text("field") == "items[0].remainder", "\(reply)")
    }
}
