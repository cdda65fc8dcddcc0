import Foundation
import Testing
import TodoAPI
import Varlink

/// Tags of items, from the command line and over the socket.
@Suite struct TagTests {
    private func sandbox() throws -> Sandbox { try started("sqlite").0 }

    private func started(_ kind: String) throws -> (Sandbox, RunningDaemon) {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        return (sandbox, try sandbox.startDaemon())
    }

    /// Returns a line for each item: its number and its tags.
    private func tags(_ sandbox: Sandbox) throws -> String {
        try sandbox.run(todoctl: "list --all --sort id --format '{id} {tags}'")
    }

    // MARK: - Items

    @Test(arguments: ["sqlite", "xml", "binary"]) func tagsOfItemsAreChangedAndListed(kind: String) throws {
        let (sandbox, daemon) = try started(kind)
        _ = try sandbox.run(todoctl: "add Buy stamps --tag post --tag '+errand, Post'")
        _ = try sandbox.run(todoctl: "add Read")
        _ = try sandbox.run(todoctl: "add Buy bread -t ERRAND")
        #expect(try tags(sandbox) == "1 errand,post\n2 \n3 errand\n")
        #expect(try sandbox.run(todoctl: "list --tag errand --format '{id}'") == "1\n3\n")
        #expect(try sandbox.run(todoctl: "list --tag Errand --tag post --format '{id}'") == "1\n")
        #expect(try sandbox.run(todoctl: "show 1").contains("Tags:          errand, post\n"))
        #expect(try sandbox.run(todoctl: "edit 1 2 --untag post --tag 'später'").hasPrefix("Changed 1"))
        #expect(try tags(sandbox) == "1 errand,später\n2 später\n3 errand\n")
        #expect(try sandbox.run(todoctl: "edit 2 --tag später").hasPrefix("Nothing changed"))
        _ = try sandbox.run(todoctl: "done 1")
        #expect(
            try sandbox.run(todoctl: "tag list") == """
                OPEN  ITEMS  TAG
                   1      2  errand
                   0      0  post
                   1      2  später

                """)
        #expect(try sandbox.call("ListItems", #"{"tags":[],"fields":["tags"]}"#).names.count == 2)
        let item = try #require(try sandbox.call("ListItems", #"{"fields":["tags"]}"#).items.first)
        #expect(item["tags"] == .array([.string("später")]) || item["tags"] == .array([.string("errand")]))
        #expect(try sandbox.call("ListItems").items.allSatisfy { $0["tags"] == nil })
        // The tags stay after a restart.
        let before = try tags(sandbox)
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        #expect(try tags(sandbox) == before)
    }

    /// A short list is read in the turn of the call, and a longer one from a stream. Both have the same items.
    @Test(arguments: [ListItems.itemsPerReply, ListItems.itemsPerReply + 1])
    func listOfTagOrParentIsCompleteAtAnyLength(count: Int) throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Parent")
        let connection = try sandbox.connect()
        for number in 1...count {
            let parts = #""links":[{"url":"https://example.com/\#(number)"}],"alerts":["2099-06-01 09:00"]"#
            try connection.call(
                "AddItem",
                #"{"name":"\#(number)","tags":["errand"],"parent":1,"priority":\#(number % 10),\#(parts)}"#)
        }
        for _ in 1...count { #expect(try connection.nextReply().error == nil) }
        _ = try sandbox.run(todoctl: "add Other --tag home")
        let names = (1...count).map(String.init)
        for filter in [#""tags":["Errand"]"#, #""parent":1"#, #""parent":1,"tags":["errand"]"#] {
            #expect(try sandbox.call("ListItems", "{\(filter)}").names == names, "\(filter)")
            let some = try sandbox.call("ListItems", #"{\#(filter),"order":["-name"],"offset":1,"limit":2}"#)
            #expect(some.names == Array(names.sorted(by: >)[1...2]), "\(filter)")
            let urgent = try sandbox.call("ListItems", #"{\#(filter),"priorities":[1]}"#)
            #expect(urgent.names == names.filter { $0.hasSuffix("1") }, "\(filter)")
            // The links and alarms of a short list are read for each item.
            let all = try sandbox.call("ListItems", #"{\#(filter),"fields":["links","alerts","heldUntil"]}"#)
            let links = all.items.compactMap { $0["links"]?.text }
            #expect(links == names.map { #"[{"url":"https://example.com/\#($0)"}]"# }, "\(filter)")
            let alerts = Set(all.items.compactMap { $0["alerts"]?.text })
            #expect(alerts.count == 1 && alerts.first?.contains("2099") == true, "\(alerts)")
        }
    }

    @Test func itemsWithoutTagsHaveEmptyList() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Read")
        for _ in 1...2 {
            let items = try sandbox.call("ListItems", #"{"fields":["tags"]}"#).items
            #expect(items.map { $0["tags"]?.text } == ["[]"])
            let item = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]
            guard case .object(let item)? = item else { return #expect(Bool(false)) }
            #expect(item["tags"]?.text == "[]")
            // Now the store has a tag, but no item has it.
            _ = try sandbox.run(todoctl: "edit 1 --tag x")
            _ = try sandbox.run(todoctl: "edit 1 --untag x")
        }
    }

    @Test func tagsHaveColumnOfTheirOwn() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Buy stamps --tag post,errand")
        _ = try sandbox.run(todoctl: "add Read")
        #expect(
            try sandbox.run(todoctl: "list") == """
                ID  TAGS           ITEM
                 1  +errand +post  Buy stamps
                 2                 Read

                """)
    }

    @Test func wrongTagsAreRefused() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Read --tag book")
        #expect(
            try sandbox.refusal(ofTodoctl: "list --tag boook").contains(
                "no tag 'boook'; did you mean 'book'?"))
        #expect(try sandbox.refusal(ofTodoctl: "edit 1 --untag none").contains("todoctl tag list"))
        #expect(try sandbox.refusal(ofTodoctl: "add x --tag ''").contains("--tag takes the name of a tag"))
        #expect(try sandbox.refusal(ofTodoctl: "add x --tag '#'").contains("it is empty"))
        #expect(
            try sandbox.refusal(ofTodoctl: "edit 1 --tag a --untag A").contains("'a' is in 'addTags', too"))
        let long = String(repeating: "x", count: 257)
        #expect(try sandbox.refusal(ofTodoctl: "add x --tag \(long)").contains("longer than 256 characters"))
        #expect(try tags(sandbox) == "1 book\n")
        #expect(try sandbox.run(todoctl: "tag list").contains("book"))
        let both = try sandbox.call("UpdateItems", #"{"ids":[1],"tags":["a"],"addTags":["b"]}"#)
        #expect(both.error == "dev.todod.Todo.InvalidValue" && both.text("field") == "addTags")
        let comma = try sandbox.call("AddItem", #"{"name":"x","tags":["a","b,c"]}"#)
        #expect(comma.text("field") == "tags[1]" && comma.text("reason")?.contains("no comma") == true)
        let nul = try sandbox.call("AddItem", #"{"name":"x","tags":["a\u0000b"]}"#)
        #expect(
            nul.text("field") == "tags[0]" && nul.text("reason")?.contains("no control character") == true)
    }

    /// An item has at most 100 tags, whatever the way to more.
    @Test func itemHasLimitedTags() throws {
        let sandbox = try sandbox()
        func list(_ numbers: ClosedRange<Int>) -> String {
            "[" + numbers.map { "\"t\($0)\"" }.joined(separator: ",") + "]"
        }
        for method in ["AddItem", "UpdateItems"] {
            let parameters = method == "AddItem" ? #""name":"x""# : #""ids":[1]"#
            let reply = try sandbox.call(method, "{\(parameters),\"tags\":\(list(1...10_000))}")
            #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "tags")
            #expect(reply.text("reason") == "an item has at most 100 tags")
        }
        #expect(try sandbox.call("AddItem", #"{"name":"x","tags":\#(list(1...100))}"#).error == nil)
        let more = try sandbox.call("UpdateItems", #"{"ids":[1],"addTags":["other"]}"#)
        #expect(more.text("field") == "addTags")
        #expect(more.text("reason") == "item 1: an item has at most 100 tags")
        #expect(try sandbox.call("UpdateItems", #"{"ids":[1],"addTags":["T1","t100"]}"#).error == nil)
        let item = #"{"uid":"a","name":"x","tags":\#(list(1...101))}"#
        let text = JSON.string(#"{"todod":1,"categories":[],"items":[\#(item)]}"#).text
        #expect(try sandbox.call("Import", #"{"text":\#(text)}"#).text("field") == "items[0].tags")
        // The refused changes have added no tags.
        guard case .array(let tags)? = try sandbox.call("ListTags").parameters["tags"] else { return }
        #expect(tags.count == 100)
    }

    @Test func editorChangesTags() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add Read --tag book")
        try sandbox.write("#!/bin/sh\nsed -i 's/^Tags: .*/Tags: new, #other/' \"$1\"\n", to: "editor")
        _ = try sandbox.shell("chmod +x ~/editor; EDITOR=~/editor todoctl edit 1")
        #expect(try tags(sandbox) == "1 new,other\n")
    }

    // MARK: - Tags

    @Test func tagIsRenamedAndDeletedForAllItems() throws {
        let sandbox = try sandbox()
        for name in ["a", "b"] { _ = try sandbox.run(todoctl: "add \(name) --tag errand --tag \(name)") }
        #expect(try sandbox.run(todoctl: "tag rename Errand shop") == "Renamed tag Errand to shop\n")
        #expect(try sandbox.run(todoctl: "tag rename shop Shop") == "Renamed tag shop to Shop\n")
        #expect(try sandbox.run(todoctl: "tag rename shop Shop") == "Nothing changed: tag Shop\n")
        #expect(try sandbox.refusal(ofTodoctl: "tag rename shop B").contains("the tag 'b' already exists"))
        #expect(try tags(sandbox) == "1 Shop,a\n2 Shop,b\n")
        // Lists show '+' before a name, and people type it as they see it.
        #expect(try sandbox.run(todoctl: "tag rename '#Shop' straße") == "Renamed tag Shop to straße\n")
        for name in ["straße", "+straße", "'#STRASSE'"] {
            #expect(
                try sandbox.refusal(ofTodoctl: "tag delete \(name)").contains(
                    "would remove the tag from 2 items"))
        }
        #expect(try sandbox.run(todoctl: "tag rename +straße Shop") == "Renamed tag straße to Shop\n")
        #expect(
            try sandbox.run(todoctl: "tag delete shop --yes") == "Deleted tag Shop; its 2 items are kept\n")
        #expect(try sandbox.run(todoctl: "tag delete a") == "Deleted tag a; its item is kept\n")
        #expect(try tags(sandbox) == "1 \n2 b\n")
        #expect(try sandbox.refusal(ofTodoctl: "tag delete a").contains("there is no tag 'a'"))
    }

    @Test func itemWithOtherTagsIsModified() throws {
        let sandbox = try sandbox()
        for name in ["a", "b"] { _ = try sandbox.run(todoctl: "add \(name)") }
        func modified() throws -> [String] {
            try sandbox.run(todoctl: "list --sort id --format '{modifiedAt}'").split(separator: "\n").map(
                String.init)
        }
        let before = try modified()
        _ = try sandbox.run(todoctl: "edit 1 --tag x")
        let after = try modified()
        #expect(after[0] > before[0] && after[1] == before[1])
        // The item has the same tag.
        _ = try sandbox.run(todoctl: "tag rename x y")
        #expect(try modified() == after)
        _ = try sandbox.run(todoctl: "tag delete y")
        #expect(try modified()[0] > after[0])
    }

    // MARK: - Undo

    /// Every change of tags is undone and redone, also after a restart.
    @Test(arguments: ["sqlite", "xml"]) func changesOfTagsAreUndoneAndRedone(kind: String) throws {
        let (sandbox, daemon) = try started(kind)
        _ = try sandbox.run(todoctl: "add a --tag x --tag y")
        _ = try sandbox.run(todoctl: "add b --tag x")
        let changes: [(line: String, summary: String)] = [
            ("edit 1 2 --tag z --untag x", "changed the tags of 2 items"),
            ("tag rename z Z2", "renamed the tag 'z' to 'Z2'"),
            ("tag delete Z2 --yes", "deleted the tag 'Z2'"), ("delete 1", "deleted 'a'"),
            ("tag delete x --yes", "deleted the tag 'x'"), ("add c --tag new,y", "added 'c'"),
        ]
        func state() throws -> String { try tags(sandbox) + sandbox.run(todoctl: "tag list") }
        var states = [try state()]
        for (line, _) in changes {
            _ = try sandbox.run(todoctl: line)
            states.append(try state())
        }
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        for (index, change) in changes.enumerated().reversed() {
            #expect(try sandbox.run(todoctl: "undo").contains(change.summary))
            #expect(try state() == states[index], "undo of \(change.line)")
        }
        for (index, change) in changes.enumerated() {
            #expect(try sandbox.run(todoctl: "redo").contains(change.summary))
            #expect(try state() == states[index + 1], "redo of \(change.line)")
        }
    }

    @Test func deletionOfTagOfManyItemsIsUndone() throws {
        let sandbox = try sandbox()
        let items = (1...600).map { #"{"uid":"\#($0)","name":"x","tags":["many"]}"# }
            .joined(separator: ",")
        let text = JSON.string(#"{"todod":1,"categories":[],"items":[\#(items)]}"#).text
        let reply = try sandbox.call("Import", #"{"text":\#(text)}"#)
        #expect(reply.integer("added") == 600 && reply.integer("tagsAdded") == 1)
        #expect(try sandbox.run(todoctl: "list --tag many --count") == "600\n")
        _ = try sandbox.run(todoctl: "tag delete many --yes")
        #expect(try sandbox.refusal(ofTodoctl: "list --tag many").contains("there is no tag"))
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --tag many --count") == "600\n")
        #expect(try sandbox.run(todoctl: "undo").contains("imported 600 items and 1 tag"))
        #expect(try sandbox.run(todoctl: "tag list").contains("There are no tags yet."))
    }

    // MARK: - Watch

    @Test func watchReportsTagsAndTheirItems() throws {
        let sandbox = try sandbox()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        func next() throws -> String? { try watcher.nextReply().text("event") }
        #expect(try next() == "ready")
        #expect(try sandbox.call("AddItem", #"{"name":"a","tags":["x"]}"#).error == nil)
        #expect(Set([try next(), try next()]) == ["added", "tags"])
        #expect(try sandbox.call("AddItem", #"{"name":"b"}"#).error == nil)
        #expect(try next() == "added")
        // Another item with the tag is no change of the tag.
        #expect(try sandbox.call("UpdateItems", #"{"ids":[2],"addTags":["x"]}"#).error == nil)
        let changed = try watcher.nextReply()
        #expect(changed.text("event") == "changed" && changed.names == ["b"])
        #expect(changed.items.first?["tags"]?.text == #"["x"]"#)
        #expect(try sandbox.call("UpdateTag", #"{"name":"x","newName":"y"}"#).error == nil)
        #expect(try next() == "tags")
        #expect(try sandbox.call("DeleteTag", #"{"name":"y"}"#).error == nil)
        #expect(Set([try next(), try next()]) == ["changed", "tags"])
    }

    // MARK: - Import

    /// An import knows a tag by its `uid`, so it keeps a tag that was renamed here later.
    @Test func importKeepsTagThatWasRenamed() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a --tag errand")
        _ = try sandbox.run(todoctl: "export > ~/before.json")
        _ = try sandbox.run(todoctl: "tag rename errand shop")
        _ = try sandbox.run(todoctl: "export > ~/after.json")
        let result = try sandbox.run(todoctl: "import ~/before.json")
        #expect(result.hasPrefix("1 unchanged\n  the tag 'shop' is not renamed"))
        #expect(try tags(sandbox) == "1 shop\n")

        let other = try self.sandbox()
        _ = try other.run(todoctl: "import \(sandbox.directory)/before.json")
        #expect(try tags(other) == "1 errand\n")
        #expect(
            try other.run(todoctl: "import \(sandbox.directory)/after.json") == "1 unchanged, 1 tag renamed\n"
        )
        #expect(try tags(other) == "1 shop\n")
    }

    /// A file of a version without tags has no list of them, and one without tags can be read by such a version.
    @Test func exportWithoutTagsHasNoListOfThem() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a")
        #expect(try sandbox.run(todoctl: "export").contains("tags") == false)
        _ = try sandbox.run(todoctl: "export > ~/items.json")
        #expect(try sandbox.run(todoctl: "import ~/items.json") == "1 unchanged\n")
    }
}
