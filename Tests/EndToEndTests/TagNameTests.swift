import Foundation
import Testing
import TodoAPI
import Varlink

/// Names of tags and categories: their order, the characters in them, and imports with very many.
@Suite struct TagNameTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        return sandbox
    }

    private func importing(_ text: String, to sandbox: Sandbox) throws -> MethodReply {
        try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
    }

    @Test func listOfTagsHasOrderOfTagsInItem() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add x --tag b,A,c,Ä,é,a2")
        let listed = try sandbox.call("ListTags").parameters["tags"]
        let tags = if case .array(let elements)? = listed { elements } else { [JSON]() }
        let names = tags.compactMap { if case .object(let tag) = $0 { tag["name"]?.text } else { nil } }
        let item = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"]
        #expect(names.count == 6)
        #expect(item?.text.contains(#""tags":[\#(names.joined(separator: ","))]"#) == true)
    }

    @Test func nameWithControlCharacterIsRefused() throws {
        let sandbox = try sandbox()
        for name in [#"a\u0001b"#, #"a\nb"#, #"\u007fx"#] {
            for (method, parameters, field) in [
                ("AddItem", #"{"name":"x","tags":["\#(name)"]}"#, "tags[0]"),
                ("AddCategory", #"{"name":"\#(name)"}"#, "name"),
            ] {
                let reply = try sandbox.call(method, parameters)
                #expect(reply.text("field") == field, "\(reply)")
                #expect(reply.text("reason")?.hasSuffix("has no control character") == true)
            }
        }
        // Other programs accept them.
        let calendar = """
            BEGIN:VCALENDAR\r
            BEGIN:VTODO\r
            UID:a\r
            SUMMARY:x\r
            CATEGORIES:Ho\\nme,er\\nrand\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        #expect(try importing(calendar, to: sandbox).integer("added") == 1)
        #expect(try sandbox.run(todoctl: "list --format '{category}|{tags}'") == "Ho me|er rand\n")
        #expect(try importing(calendar, to: sandbox).integer("unchanged") == 1)
    }

    /// A command in a hint does what it says, also for a name that looks like an option.
    @Test func hintForNameWithDashCanBeRun() throws {
        let sandbox = try sandbox()
        for name in ["x", "y"] {
            _ = try sandbox.run(todoctl: "add \(name) --tag=-old --category=-home --new-category")
        }
        for kind in ["tag", "category"] {
            let name = kind == "tag" ? "-old" : "-home"
            let refused = try sandbox.shell("todoctl \(kind) delete -- \(name)")
            let command = refused.errors.split(separator: "todoctl ").last.map { "todoctl \($0)" } ?? ""
            #expect(command == "todoctl \(kind) delete --yes -- \(name)\n", "\(refused)")
            #expect(try sandbox.shell(command).status == 0)
        }
        let missing = try sandbox.shell("todoctl add y --category=-new")
        #expect(missing.errors.hasSuffix("todoctl category add -- -new\n"), "\(missing)")
    }

    // MARK: - Import

    /// Two names in a file can mean one tag.
    @Test func secondImportWithTwoNamesOfOneTagChangesNothing() throws {
        let sandbox = try sandbox()
        let tags = #"[{"uid":"T","name":"a"},{"uid":"T","name":"b"}]"#
        let text =
            #"{"todod":1,"categories":[],"tags":\#(tags),"items":[{"uid":"I","name":"x","tags":["a","b"]}]}"#
        #expect(try importing(text, to: sandbox).integer("added") == 1)
        #expect(try sandbox.run(todoctl: "list --format '{tags}'") == "a\n")
        let again = try importing(text, to: sandbox)
        #expect(again.integer("unchanged") == 1 && again.integer("updated") == 0)
    }

    /// A tag that two batches of an import change is one object of the change.
    @Test func importThatNamesTagInTwoBatchesIsUndone() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add x --tag old")
        let uid =
            try sandbox.run(todoctl: "export").split(separator: #""name":"old""#)[0]
            .split(separator: "\"uid\":\"").last?.prefix { $0 != "\"" } ?? ""
        func tag(_ uid: some StringProtocol, _ name: String, _ year: Int) -> String {
            #"{"uid":"\#(uid)","name":"\#(name)","modifiedAt":"\#(year)-01-01T00:00:00Z"}"#
        }
        let others = (0..<600).map { tag("T\($0)", "t\($0)", 2050) }
        let tags = [tag(uid, "first", 2060)] + others + [tag(uid, "second", 2070)]
        let text = #"{"todod":1,"categories":[],"tags":[\#(tags.joined(separator: ","))],"items":[]}"#
        #expect(try importing(text, to: sandbox).integer("tagsUpdated") == 2)
        #expect(try sandbox.run(todoctl: "list --format '{tags}'") == "second\n")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try sandbox.run(todoctl: "list --format '{tags}'") == "old\n")
        _ = try sandbox.run(todoctl: "redo")
        #expect(try sandbox.run(todoctl: "list --format '{tags}'") == "second\n")
    }

    /// Its time grows with the number of names, not with its square: this took minutes.
    @Test(.timeLimit(.minutes(1))) func veryManyNewNamesAreImported() throws {
        let sandbox = try sandbox()
        let items = (0..<10_000).map {
            #"{"uid":"\#($0)","name":"x","category":"C\#($0)","tags":["Ä\#($0)"]}"#
        }
        let text = #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
        try sandbox.write(text, to: "many.json")
        let expected = "10000 added, 10000 categories added, 10000 tags added\n"
        #expect(try sandbox.run(todoctl: "import ~/many.json").hasPrefix(expected.dropLast()))
    }
}
