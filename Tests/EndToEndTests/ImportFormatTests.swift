import Testing
import TodoAPI
import Varlink

/// The format of an import, detected from the first bytes of the file.
@Suite struct ImportFormatTests {
    private static let own = #"{"todod":1,"categories":[],"items":[{"uid":"a","name":"x"}]}"#
    private static let task = #"{"uuid":"a","description":"x","status":"pending"}"#
    private static let calendar =
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    private static let document = #"""
        <?xml version="1.0"?>
        <database>
            <databaseInfo><UUID>5D1A2C5E-55A1-4A2B-9F50-0C8B2B7A53C1</UUID></databaseInfo>
            <object type="TODO" id="z102">
                <attribute name="name" type="string">x</attribute>
                <attribute name="duedate" type="date">336046917.5</attribute>
                <attribute name="completed" type="bool">0</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY"></relationship>
            </object>
            <object type="CATEGORY" id="z104">
                <attribute name="name" type="string">Home</attribute>
                <relationship name="todos" type="0/0" destination="TODO"></relationship>
            </object>
        </database>
        """#

    /// The file name has no influence.
    @Test(arguments: [
        own, "\n \(own)\r\n", #"{"items":[{"uid":"a","name":"x"}],"categories":[],"todod":1}"#,
        "[\(task)]", task, "\(task)\n", "\u{FEFF}[\(task)]", calendar, "\u{FEFF}\r\n\(calendar)",
        calendar.replacing("\r\n", with: "\n").replacing("BEGIN:VCALENDAR", with: "begin:vcalendar"),
        document, "\u{FEFF}\(document)",
    ])
    func formatIsDetectedFromText(text: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for name in ["all", "all.icalendar", "all.json", "all.xml", "all.ics"] {
            try sandbox.write(text, to: name)
            let result = try sandbox.todoctl("import", "\(sandbox.directory)/\(name)", "--dry-run")
            #expect(result.output.hasPrefix("Would be: 1 added"), "\(name): \(result.errors)")
        }
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        #expect(reply.integer("added") == 1, "\(reply)")
    }

    @Test func formatOfStandardInputIsDetected() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(Self.calendar, to: "tasks")
        #expect(try sandbox.shell("todoctl import - < ~/tasks").output == "1 added\n")
    }

    @Test func emptyListIsNotAnError() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write("[\n]\n", to: "none")
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/none").output == "nothing to import\n")
    }

    @Test(arguments: [
        ("Dear all,\nhello", "begins with 'Dear all,'"), ("BEGIN:VCARD\r\n", "begins with 'BEGIN:VCARD'"),
        (#"{"name":"x"}"#, "is JSON of another program"), ("[1, 2]", "is JSON of another program"),
    ])
    func unknownFormatNamesTheOption(text: String, look: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(text, to: "items.json")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/items.json")
        #expect(
            result.errors == """
                todoctl: cannot import the file: it \(look), which is none of the formats json, icalendar, \
                taskwarrior, coredata, todotxt, todoist
                If it has one of these formats, name it:  --format json|icalendar|taskwarrior|coredata|todotxt|todoist
                Nothing was imported.

                """)
        #expect(result.status == 1)
    }

    @Test func endlessFileIsRefusedAtTheLimit() throws {
        #expect(
            try Sandbox().todoctl("import", "/dev/zero").errors == """
                todoctl: cannot read /dev/zero: it is longer than 64 MiB; nothing was imported
                Import it in parts. To move a whole store, use 'todoctl backup' and 'todod --restore'.

                """)
    }

    @Test(
        arguments: ["", "\n", "\u{FEFF}"], ["", "json", "icalendar", "taskwarrior", "coredata", "todotxt"])
    func emptyFileIsReportedAsEmpty(text: String, format: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(text, to: "items")
        let option = format.isEmpty ? [] : ["--format", format]
        let result = try sandbox.run("todoctl", ["import", "\(sandbox.directory)/items"] + option)
        #expect(result.errors == "todoctl: cannot import the file: it is empty\nNothing was imported.\n")
    }

    /// The option is used even if the text begins like another format.
    @Test func formatOptionOverridesDetection() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(Self.calendar, to: "items.ics")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/items.ics", "--format", "json")
        #expect(result.errors.contains("cannot import the file: it is not JSON"))
    }

    // MARK: - Taskwarrior

    /// The formats of `json.array=off` and of old versions of Taskwarrior.
    @Test(arguments: ["\n", ",\n", "\r\n", " "])
    func oneTaskPerLineIsRead(separator: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let tasks = (1...3).map { #"{"uuid":"\#($0)","description":"task {\#($0)}","status":"pending"}"# }
        try sandbox.write(tasks.joined(separator: separator) + "\n", to: "tasks")
        for arguments in [[], ["--format", "taskwarrior"]] {
            let result = try sandbox.run(
                "todoctl", ["import", "\(sandbox.directory)/tasks", "--dry-run"] + arguments)
            #expect(result.output == "Would be: 3 added\n", "\(result.errors)")
        }
        try sandbox.write(tasks.joined(separator: separator) + "\n{\"uuid\":\"4\"", to: "tasks")
        let result = try sandbox.todoctl("import", "\(sandbox.directory)/tasks")
        #expect(result.errors.contains("it is not JSON"), "\(result.errors)")
    }

    @Test func omittedFieldsOfTasksAreCounted() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(
            #"""
            [{"uuid":"a","description":"x","status":"pending","project":"","priority":"","githubissue":42,
              "tags":["y"],"start":"20260903T000000Z","rtype":"periodic","imask":0,"urgency":-3.5},
             {"uuid":"b","description":"y","status":"recurring","recur":"weekly"},
             {"uuid":"c","description":"y","status":"pending","recur":"weekly","parent":"b"}]
            """#, to: "tasks")
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/tasks").output == """
                2 added, 1 tag added
                  'y' does not repeat: it has no due time
                  'githubissue' of 1 task omitted
                  'start' of 1 task omitted

                """)
    }

    // MARK: - iCalendar

    /// Some programs break lines after a number of bytes, even within a character.
    @Test func characterSplitByLineBreakIsRead() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let name = #"caf\303\r\n \251 \360\237\n\t\247\276"#
        let task = #"BEGIN:VTODO\r\nUID:a\r\nSUMMARY:\#(name)\r\nEND:VTODO"#
        let text = #"BEGIN:VCALENDAR\r\n\#(task)\r\nEND:VCALENDAR"#
        let result = try sandbox.shell("printf '\(text)' > ~/tasks; todoctl import ~/tasks")
        #expect(result.output == "1 added\n", "\(result.errors)")
        #expect(try sandbox.call("ListItems").names == ["café \u{1F9FE}"])
    }

    @Test func calendarWithoutTasksIsExplained() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let event = "BEGIN:VEVENT\r\nUID:a\r\nSUMMARY:x\r\nEND:VEVENT\r\n"
        try sandbox.write("BEGIN:VCALENDAR\r\n\(event)\(event)END:VCALENDAR\r\n", to: "events")
        #expect(
            try sandbox.todoctl("import", "\(sandbox.directory)/events").output
                == "nothing to import\n  2 VEVENTs omitted: only tasks (VTODO) are imported\n")
    }

    // MARK: - Remarks

    /// Every format that can name a time zone leads to the remark.
    @Test func unknownTimeZoneIsReported() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let item =
            #"{"uid":"a","name":"Tea","due":"2031-05-01T07:00:00Z","recurrence":"FREQ=DAILY","timeZone":"Mars/Base"}"#
        try sandbox.write(#"{"todod":1,"categories":[],"items":[\#(item)]}"#, to: "items")
        let remark = "'Tea': the time zone 'Mars/Base' is unknown; the local time zone is used"
        let file = "\(sandbox.directory)/items"
        #expect(try sandbox.todoctl("import", file).output == "1 added\n  \(remark)\n")
        for format in ["icalendar", "coredata"] {
            let text = try sandbox.todoctl("export", "--format", format).output
            let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
            #expect(reply.parameters["remarks"] == .array([.string(remark)]), "\(format)")
        }
    }

    @Test func remarksBeyondTheLimitAreCounted() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let tasks = (1...Import.remarksLimit + 2).map { "BEGIN:VTODO\r\nUID:\($0)\r\nEND:VTODO\r\n" }
        let text = "BEGIN:VCALENDAR\r\n\(tasks.joined())END:VCALENDAR\r\n"
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        guard case .array(let remarks)? = reply.parameters["remarks"] else {
            return #expect(Bool(false), "\(reply)")
        }
        #expect(remarks.count == Import.remarksLimit + 1)
        #expect(remarks.last == .string("and 2 more such remarks"))
    }
}
