import Foundation
import Testing
import TodoAPI
import Varlink

/// Subtasks and their order, from the command line and over the socket.
@Suite struct SubtaskTests {
    private func sandbox(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        return sandbox
    }

    /// Adds `Move` (1) with the subtasks `Pack` (2), `Call` (3) and `Drive` (4).
    private func movingHouse(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try sandbox(kind)
        _ = try sandbox.run(todoctl: "category add Home")
        _ = try sandbox.run(todoctl: "add Move --category Home")
        for name in ["Pack", "Call", "Drive"] { _ = try sandbox.run(todoctl: "add \(name) --parent 1") }
        return sandbox
    }

    /// The ids, parents, states and subtasks of all items, and the order of the subtasks of item 1.
    private func state(_ sandbox: Sandbox) throws -> String {
        try sandbox.run(
            todoctl: "list --all --sort id --format '{id}<{parent} {completed} {children} {childrenDone}'")
            + order(sandbox, of: 1)
    }

    private func order(_ sandbox: Sandbox, of id: Int) throws -> String {
        let result = try sandbox.shell("todoctl list --all --parent \(id) --format '{id}'")
        return result.output.split(separator: "\n").joined(separator: " ")
    }

    // MARK: - Commands

    @Test(arguments: ["sqlite", "xml", "binary"]) func subtasksAreAddedListedAndShown(kind: String) throws {
        let sandbox = try movingHouse(kind)
        _ = try sandbox.run(todoctl: "done 3")
        #expect(try order(sandbox, of: 1) == "2 3 4")
        let shown = try sandbox.run(todoctl: "show 1")
        #expect(
            shown.contains(
                """
                Subtasks:      1 of 3 done
                               [ ] 2  Pack
                               [x] 3  Call
                               [ ] 4  Drive

                """), "\(shown)")
        let child = try sandbox.run(todoctl: "show 2")
        #expect(
            child.contains("Parent:        1  Move\n") && child.contains("Category:      Home\n"), "\(child)")
        #expect(
            try sandbox.run(todoctl: "list")
                == "ID  CATEGORY  SUB  ITEM\n 1  Home      1/3  Move\n 2  Home           Pack\n 4  Home           Drive\n"
        )
        #expect(try sandbox.run(todoctl: "list --parent 1 --format '{id}'") == "2\n4\n")
    }

    @Test func subtasksAreMovedInTheirOrder() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "edit 4 --before 2")
        #expect(try order(sandbox, of: 1) == "4 2 3")
        _ = try sandbox.run(todoctl: "edit 4 --after 2")
        #expect(try order(sandbox, of: 1) == "2 4 3")
        _ = try sandbox.run(todoctl: "add Other")
        _ = try sandbox.run(todoctl: "add Another")
        _ = try sandbox.run(todoctl: "edit 5 6 --after 2")
        #expect(try order(sandbox, of: 1) == "2 5 6 4 3")
        _ = try sandbox.run(todoctl: "edit 5 6 --before 2")
        #expect(try order(sandbox, of: 1) == "5 6 2 4 3")
        _ = try sandbox.run(todoctl: "edit 6 --parent ''")
        _ = try sandbox.run(todoctl: "edit 2 --parent 6")
        #expect(try order(sandbox, of: 1) == "5 4 3")
        #expect(try order(sandbox, of: 6) == "2")
        #expect(
            try sandbox.run(todoctl: "list --sort position --parent 1 --format '{id}'") == "5\n4\n3\n")
    }

    /// Each change is undone and redone, with the order of the subtasks.
    @Test(arguments: ["sqlite", "xml"]) func changesAreUndoneAndRedone(kind: String) throws {
        let sandbox = try movingHouse(kind)
        let changes = [
            ("edit 4 --before 2", "changed the position of"),
            ("edit 3 --parent 2", "changed the"),
            ("edit 4 --blocked-by 3,2", "changed the blockers of 'Drive'"),
            ("done 1", "completed 4 items"),
            ("reopen 3", "reopened 3 items"),
            ("delete 1", "deleted 4 items"),
        ]
        var states = [try state(sandbox)]
        for (line, _) in changes {
            _ = try sandbox.run(todoctl: line)
            states.append(try state(sandbox))
        }
        for (index, change) in changes.enumerated().reversed() {
            let text = try sandbox.run(todoctl: "undo")
            #expect(text.contains(change.1), "\(text)")
            #expect(try state(sandbox) == states[index], "undo of \(change.0)")
        }
        for (index, change) in changes.enumerated() {
            _ = try sandbox.run(todoctl: "redo")
            #expect(try state(sandbox) == states[index + 1], "redo of \(change.0)")
        }
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --all --where 'ANY blockedBy == 3' --format '{id}'") == "4\n")
    }

    // MARK: - Completion

    @Test func completingParentCompletesSubtasks() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "done 2")
        #expect(try sandbox.run(todoctl: "done 1") == "Done 1  Move\nWith 2 subtasks\n")
        #expect(try sandbox.run(todoctl: "reopen 3") == "Reopened 3  Call\nWith 1 item above\n")
        #expect(try sandbox.run(todoctl: "list --format '{id}' --sort id") == "1\n3\n")
        let reply = try sandbox.call("CompleteItems", #"{"ids":[3,1]}"#)
        #expect(reply.parameters["also"] == nil && reply.items.count == 2)
        _ = try sandbox.run(todoctl: "reopen 1")
        #expect(try sandbox.run(todoctl: "list --format '{id}'") == "1\n")
    }

    /// An item that waits for several is free after the last of them.
    @Test(arguments: ["done", "delete"]) func itemsThatWaitForNoneAreNamed(verb: String) throws {
        let sandbox = try sandbox()
        for name in [
            "Passport", "Money", "Tickets --blocked-by 1,2", "Pack --blocked-by 1", "Old --blocked-by 2",
        ] {
            _ = try sandbox.run(todoctl: "add --literal \(name)")
        }
        _ = try sandbox.run(todoctl: "done 5")
        let past = verb == "done" ? "Done" : "Deleted"
        #expect(
            try sandbox.run(todoctl: "\(verb) 1") == "\(past) 1  Passport\nNot blocked any more: 4  Pack\n")
        #expect(
            try sandbox.run(todoctl: "\(verb) 2") == "\(past) 2  Money\nNot blocked any more: 3  Tickets\n")
        _ = try sandbox.run(todoctl: "undo")
        let json = try sandbox.run(todoctl: "\(verb) 2 --json")
        #expect(json.contains(#""unblocked":[3]"#), "\(json)")
    }

    @Test func completingSubtasksLeavesParentOpen() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "done 2-4")
        #expect(try sandbox.run(todoctl: "list --format '{id} {children} {childrenDone}'") == "1 3 3\n")
    }

    @Test(arguments: ["done", "skip"]) func subtasksOfRepeatingItemStartAgain(command: String) throws {
        let sandbox = try Sandbox(now: "2026-11-20T10:00:00Z", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        _ = try sandbox.run(todoctl: "add Clean --every week --due '2026-11-27 18:00'")
        _ = try sandbox.run(todoctl: "add Kitchen --parent 1 --due '2026-11-26 09:00'")
        _ = try sandbox.run(todoctl: "add Bath --parent 1 --due 2026-11-27")
        _ = try sandbox.run(todoctl: "add Soap --parent 3 --percent 50")
        _ = try sandbox.run(todoctl: "add Bins --parent 1 --every day --due '2026-11-21 07:00'")
        _ = try sandbox.run(todoctl: "done 2")
        let before = try state(sandbox)
        #expect(try sandbox.run(todoctl: "\(command) 1").contains("With 3 subtasks"))
        let list = "list --all --sort id --format '{id} {completed} {due} {percent}'"
        #expect(
            try sandbox.run(todoctl: list) == """
                1 false 2026-12-04T18:00:00+01:00 \

                2 false 2026-12-03T09:00:00+01:00 \

                3 false 2026-12-04 \

                4 false  \

                5 false 2026-11-21T07:00:00+01:00 \


                """)
        #expect(try sandbox.run(todoctl: "history 2").contains("Kitchen"))
        _ = try sandbox.run(todoctl: "undo")
        #expect(try state(sandbox) == before)
    }

    @Test func repeatingSubtaskEndsWithItsParent() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "add Daily --parent 1 --every day")
        _ = try sandbox.run(todoctl: "done 1")
        #expect(try sandbox.run(todoctl: "list --count") == "0\n")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --count") == "5\n")
    }

    @Test func deletingParentDeletesSubtasks() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "add Box --parent 2 --tag x --link test:a --lead 1h --due tomorrow")
        #expect(try sandbox.run(todoctl: "delete 1") == "Deleted 1  Move\nWith 4 subtasks\n")
        #expect(try sandbox.run(todoctl: "list --all --count") == "0\n")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try order(sandbox, of: 1) == "2 3 4")
        #expect(try sandbox.run(todoctl: "list --tag x --format '{id} {parent} {links}'").hasPrefix("5 2 "))
        _ = try sandbox.run(todoctl: "delete 2 1 --yes")
        #expect(try sandbox.run(todoctl: "list --all --count") == "0\n")
    }

    // MARK: - Blockers

    @Test(arguments: ["sqlite", "xml"]) func blockersAreAddedShownAndRemoved(kind: String) throws {
        let sandbox = try sandbox(kind)
        for name in ["Buy paint", "Buy brush"] { _ = try sandbox.run(todoctl: "add \(name)") }
        _ = try sandbox.run(todoctl: "add Paint --blocked-by 1 --blocked-by 2 --due 'in 2 minutes'")
        let shown = try sandbox.run(todoctl: "show 3")
        #expect(
            shown.contains("Blocked by:    [ ] 1  Buy paint\n               [ ] 2  Buy brush\n"), "\(shown)")
        #expect(try sandbox.run(todoctl: "show 1").contains("Blocks:        [ ] 3  Paint"))
        #expect(try sandbox.run(todoctl: "list").contains("*⊘"))
        #expect(
            try sandbox.run(todoctl: "list --blocked --format '{id} {blockedBy} {blocked}'") == "3 1,2 true\n"
        )
        #expect(
            try sandbox.run(todoctl: "list --unblocked --format '{id} {blocks}' --sort id") == "1 3\n2 3\n")
        // The alert is sent all the same.
        #expect(try sandbox.run(todoctl: "show 3").contains("Last alert"))
        _ = try sandbox.run(todoctl: "done 1")
        _ = try sandbox.run(todoctl: "edit 3 --unblocked-by 2")
        #expect(try sandbox.run(todoctl: "list --blocked --count") == "0\n")
        _ = try sandbox.run(todoctl: "edit 3 --no-blocked-by --blocked-by 2")
        #expect(try sandbox.run(todoctl: "list --blocked --format '{blockedBy}'") == "2\n")
        _ = try sandbox.run(todoctl: "delete 2")
        #expect(try sandbox.run(todoctl: "list --format '{id} {blockedBy}'") == "3 \n")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --blocked --format '{blockedBy}'") == "2\n")
        #expect(try sandbox.run(todoctl: "done 3").hasPrefix("Done 3  Paint"))
    }

    @Test func predicateNamesParentAndBlockers() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "edit 4 --blocked-by 3")
        _ = try sandbox.run(todoctl: "done 2")
        func ids(_ predicate: String) throws -> String {
            try sandbox.run(todoctl: "list --sort id --format '{id}' --where '\(predicate)'").replacing(
                "\n", with: "")
        }
        #expect(try ids("parent == 1") == "34")
        #expect(try ids("parent == nil") == "1")
        #expect(try ids("parent.name == \"Move\"") == "34")
        #expect(try ids("children > 2") == "1")
        #expect(try ids("childrenDone == 1") == "1")
        #expect(try ids("ANY children.name == \"Pack\"") == "1")
        #expect(try ids("ANY blockedBy == 3") == "4")
        #expect(try ids("ANY blocks == 4") == "3")
        #expect(try ids("blocked == YES") == "4" && ids("blocked == NO") == "13")
    }

    // MARK: - Wrong values

    @Test(
        arguments: [
            ("edit 1 --parent 1", "item 1 cannot be its own subtask"),
            ("edit 1 --parent 2", "item 2 is below item 1, which cannot be below itself"),
            ("edit 2 --parent 99", "cannot use the option --parent: there is no item 99"),
            ("edit 2 3 --parent 3", "item 3 cannot be its own subtask"),
            ("edit 1 5 --parent 4", "item 4 is below item 1"),
            ("edit 2 --before 1", "item 1 is not a subtask"),
            ("edit 2 --before 2", "item 2 cannot be placed beside itself"),
            ("edit 2 --after 99", "there is no item 99"),
            ("edit 2 --before 3 --after 4", "--before and --after cannot be combined"),
            ("edit 2 --parent 3 --after 4", "--parent cannot be combined"),
            ("edit 2 --parent x", "--parent takes the number of an item, not 'x'"),
            ("add x --parent ''", "--parent takes the number of an item"),
            ("add x --parent 5", "item 5 is done; reopen it first"),
            ("edit 2 --blocked-by 2", "item 2 cannot wait for itself"),
            ("edit 3 --blocked-by 2", "item 2 waits for item 3, so neither could be done first"),
            ("edit 3 4 --blocked-by 3", "item 3 cannot wait for itself"),
            ("edit 2 --blocked-by 99", "cannot use the option --blocked-by: there is no item 99"),
            ("edit 2 --blocked-by ''", "To remove all, use --no-blocked-by."),
            ("edit 2 --unblocked-by 3 --no-blocked-by", "cannot be combined"),
            ("list --parent 99", "there is no item 99"),
            ("list --blocked --unblocked", "cannot be combined"),
        ])
    func wrongValueIsNamed(line: String, message: String) throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "add Done")
        _ = try sandbox.run(todoctl: "done 5")
        _ = try sandbox.run(todoctl: "edit 2 --blocked-by 3")
        let before = try state(sandbox)
        let refusal = try sandbox.refusal(ofTodoctl: line)
        #expect(refusal.contains(message), "\(refusal)")
        #expect(try state(sandbox) == before)
    }

    @Test func levelsAndSubtasksBeyondTheLimitsAreRefused() throws {
        let sandbox = try sandbox()
        func add(_ count: Int, _ parent: (Int) -> Int) throws {
            let connection = try sandbox.connect()
            for index in 0..<count {
                try connection.call("AddItem", #"{"name":"x","parent":\#(parent(index))}"#)
            }
            for _ in 0..<count { #expect(try connection.nextReply().error == nil) }
        }
        _ = try sandbox.run(todoctl: "add root")
        try add(19) { $0 + 1 }
        var reply = try sandbox.call("AddItem", #"{"name":"x","parent":20}"#)
        #expect(
            reply.text("field") == "parent" && reply.text("reason")?.contains("at most 20 levels") == true)
        _ = try sandbox.run(todoctl: "add other")
        reply = try sandbox.call("UpdateItems", #"{"ids":[1],"parent":21}"#)
        #expect(reply.text("reason")?.contains("at most 20 levels") == true)
        try add(1_000) { _ in 21 }
        reply = try sandbox.call("AddItem", #"{"name":"x","parent":21}"#)
        #expect(reply.text("field") == "parent" && reply.text("reason")?.contains("1000 subtasks") == true)
        #expect(try sandbox.run(todoctl: "delete 21").contains("With 1000 subtasks"))
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --parent 21 --count") == "1000\n")
        let blockers = (0..<101).map { String($0 + 22) }.joined(separator: ",")
        reply = try sandbox.call("UpdateItems", #"{"ids":[1],"blockedBy":[\#(blockers)]}"#)
        #expect(reply.text("field") == "blockedBy" && reply.text("reason")?.contains("at most 100") == true)
    }

    // MARK: - Editor

    @Test func editorHasParentAndBlockers() throws {
        let sandbox = try movingHouse()
        _ = try sandbox.run(todoctl: "edit 4 --blocked-by 2,3")
        let edit = try sandbox.shell("EDITOR='cp \"$1\" ~/form; true' todoctl edit 4")
        #expect(edit.status == 0, "\(edit)")
        let script = #"sed -i -e 's/^Parent:.*/Parent: 2/' -e 's/^Blocked by:.*/Blocked by: 3/'"#
        let result = try sandbox.shell("EDITOR=\"\(script)\" todoctl edit 4")
        #expect(result.status == 0, "\(result)")
        #expect(
            try sandbox.run(todoctl: "list --format '{id} {parent} {blockedBy}' --where 'id == 4'")
                == "4 2 3\n")
    }
}
