import Foundation
import Testing
import TodoAPI
import Varlink

/// Subtasks and blockers in files of todod and of other programs.
@Suite struct SubtaskExchangeTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        return sandbox
    }

    /// The names of all items with their parents and blockers, and in the order of the subtasks.
    private func state(_ sandbox: Sandbox) throws -> [String] {
        let items = try sandbox.call(
            "ListItems", #"{"state":"all","order":["position","id"],"fields":["parent","blockedBy"]}"#
        ).items
        var names: [Int64: String] = [:]
        for item in items {
            if case .integer(let id)? = item["id"], case .string(let name)? = item["name"] {
                names[id] = name
            }
        }
        func name(_ value: JSON?) -> String {
            if case .integer(let id)? = value { names[id] ?? "" } else { "" }
        }
        return items.map { item in
            guard case .string(let text)? = item["name"] else { return "" }
            var blockers: [String] = []
            if case .array(let ids)? = item["blockedBy"] { blockers = ids.map { name($0) }.sorted() }
            return "\(text)<\(name(item["parent"]))|\(blockers.joined(separator: ","))"
        }
    }

    private func imported(_ text: String, format: String) throws -> (state: [String], output: String) {
        let sandbox = try sandbox()
        try sandbox.write(text, to: "file")
        let result = try sandbox.shell("todoctl import --format \(format) ~/file")
        #expect(result.status == 0, "\(result)")
        return (try state(sandbox).sorted(), result.output + result.errors)
    }

    @Test(arguments: ["json", "icalendar", "coredata"]) func exportIsReadBack(format: String) throws {
        let sandbox = try sandbox()
        for name in ["Pack", "Call", "Drive"] { _ = try sandbox.run(todoctl: "add \(name)") }
        // The parent has a greater number than its subtasks.
        _ = try sandbox.run(todoctl: "add Move")
        _ = try sandbox.run(todoctl: "edit 1-3 --parent 4")
        _ = try sandbox.run(todoctl: "edit 3 --before 1 --blocked-by 1,2")
        _ = try sandbox.run(todoctl: "add Box --parent 1")
        let before = try state(sandbox)
        _ = try sandbox.run(todoctl: "export --format \(format) > ~/items")
        #expect(try sandbox.run(todoctl: "import ~/items") == "5 unchanged\n")
        let other = try self.sandbox()
        _ = try other.run(todoctl: "import \(sandbox.directory)/items")
        #expect(try state(other).sorted() == before.sorted())
        // iCalendar has no order of subtasks.
        if format != "icalendar" {
            let subtasks = { (state: [String]) in state.filter { $0.contains("<Move") } }
            #expect(try subtasks(state(other)) == subtasks(before))
        }
        #expect(try other.run(todoctl: "import \(sandbox.directory)/items") == "5 unchanged\n")
        _ = try other.run(todoctl: "undo")
        #expect(try other.run(todoctl: "list --all --count") == "0\n")
        _ = try other.run(todoctl: "redo")
        #expect(try state(other).sorted() == before.sorted())
    }

    /// Many programs write no RELATED-TO.
    @Test func fileWithoutRelationsLeavesThem() throws {
        let sandbox = try sandbox()
        for words in ["add Move", "add Pack", "add Drive --parent 1 --blocked-by 2"] {
            _ = try sandbox.run(todoctl: words)
        }
        let before = try state(sandbox)
        _ = try sandbox.run(todoctl: "export --format icalendar > ~/items")
        let kept = "RELATED-TO|X-TODOD|PRODID|LAST-MODIFIED"
        let made = try sandbox.shell("grep -vE '\(kept)' ~/items | sed 's/SUMMARY:[A-Za-z]*/&!/' > ~/others")
        #expect(made.status == 0, "\(made)")
        #expect(try sandbox.run(todoctl: "import ~/others") == "3 updated\n")
        #expect(try state(sandbox) == before.map { $0.replacing(/\w+/) { "\($0.0)!" } })
    }

    @Test func removedParentIsExported() throws {
        let sandbox = try sandbox()
        for name in ["a", "b", "c"] { _ = try sandbox.run(todoctl: "add \(name)") }
        _ = try sandbox.run(todoctl: "edit 2 3 --parent 1 --blocked-by 1")
        _ = try sandbox.run(todoctl: "export > ~/before")
        _ = try sandbox.run(todoctl: "edit 2 --parent '' --no-blocked-by")
        _ = try sandbox.run(todoctl: "export > ~/after")
        let other = try self.sandbox()
        _ = try other.run(todoctl: "import \(sandbox.directory)/before")
        #expect(try other.run(todoctl: "import \(sandbox.directory)/after") == "1 updated, 2 unchanged\n")
        #expect(try state(other).sorted() == ["a<|", "b<|", "c<a|a"])
    }

    @Test func relationsOfOtherProgramsAreRead() throws {
        let (state, output) = try imported(
            """
            BEGIN:VCALENDAR\r
            BEGIN:VTODO\r
            UID:child\r
            SUMMARY:Child\r
            RELATED-TO:parent\r
            RELATED-TO;RELTYPE=DEPENDS-ON:other\r
            END:VTODO\r
            BEGIN:VTODO\r
            UID:other\r
            SUMMARY:Other\r
            RELATED-TO;RELTYPE=SIBLING:child\r
            END:VTODO\r
            BEGIN:VTODO\r
            UID:parent\r
            SUMMARY:Parent\r
            RELATED-TO;RELTYPE=CHILD:other\r
            RELATED-TO;RELTYPE=FINISHTOSTART:last\r
            END:VTODO\r
            BEGIN:VTODO\r
            UID:last\r
            SUMMARY:Last\r
            RELATED-TO;RELTYPE=PARENT:nowhere\r
            END:VTODO\r
            END:VCALENDAR\r

            """, format: "icalendar")
        #expect(state == ["Child<Parent|Other", "Last<|", "Other<Parent|", "Parent<|"])
        #expect(
            output.contains(
                "line 8: 'Other': its RELATED-TO with the type SIBLING is kept for an export and has no effect here"
            ),
            "\(output)")
        #expect(
            output.contains("'Parent': its RELATED-TO with the type FINISHTOSTART is kept for an export"),
            "\(output)"
        )
        #expect(
            output.contains(
                "line 19: 'Last': its parent nowhere is omitted: it is neither in the file nor in the store"),
            "\(output)")
    }

    @Test(arguments: [#"["uuid-2","uuid-3"]"#, #""uuid-2,uuid-3""#])
    func dependenciesOfTaskwarriorAreRead(depends: String) throws {
        let (state, output) = try imported(
            """
            [{"uuid":"uuid-1","description":"Paint","status":"pending","depends":\(depends)},
            {"uuid":"uuid-2","description":"Buy","status":"completed"},
            {"uuid":"uuid-3","description":"Clean","status":"pending"}]
            """, format: "taskwarrior")
        #expect(state == ["Buy<|", "Clean<|", "Paint<|Buy,Clean"])
        #expect(!output.contains("omitted"), "\(output)")
    }

    @Test func circlesOfFileAreOpened() throws {
        func item(_ name: String, _ fields: String) -> String {
            #"{"uid":"\#(name)","name":"\#(name)",\#(fields)}"#
        }
        let items = [
            item("x", #""parent":"a""#), item("a", #""parent":"b""#), item("b", #""parent":"c""#),
            item("c", #""parent":"a","blockedBy":["d"]"#), item("d", #""blockedBy":["c"]"#),
            item("self", #""parent":"self","blockedBy":["self"]"#),
        ]
        let text = #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
        let (state, output) = try imported(text, format: "json")
        #expect(state.contains("x<a|") && state.contains("self<|"), "\(state)")
        #expect(state.count { $0.hasSuffix("<|") } >= 2)
        #expect(output.contains("form a circle") && output.contains("it is the item itself"), "\(output)")
    }

    /// The parents of two items are exchanged. Each is below the other one before the import.
    @Test func fileCanTurnTreeAround() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a")
        _ = try sandbox.run(todoctl: "add b --parent 1")
        let uids = try sandbox.run(todoctl: "list --all --sort id --format '{uid}'").split(separator: "\n")
        let late = #""modifiedAt":"2099-01-01T00:00:00Z""#
        let items = [
            #"{"uid":"\#(uids[0])","name":"a","parent":"\#(uids[1])",\#(late)}"#,
            #"{"uid":"\#(uids[1])","name":"b","parent":"",\#(late)}"#,
        ]
        try sandbox.write(
            #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#, to: "file")
        _ = try sandbox.run(todoctl: "import ~/file")
        #expect(try state(sandbox).sorted() == ["a<b|", "b<|"])
        _ = try sandbox.run(todoctl: "undo")
        #expect(try state(sandbox).sorted() == ["a<|", "b<a|"])
    }
}
