import Foundation
import Testing
import Varlink

/// Words in the text of `todoctl add` that set properties of the item.
@Suite struct QuickAddTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox(now: "2026-11-23T09:30:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        return sandbox
    }

    private func item(_ sandbox: Sandbox) throws -> String {
        let format = "{name}|{due:local}|{every}|{category}|{tags}|{priority}"
        return try sandbox.todoctl("list", "-F", format).output
    }

    @Test(arguments: [
        (
            "pay rent fri 9am +bank @home p1 every month", "\n",
            "pay rent: due Fri 27 Nov 09:00, in 4 days; every month; category Home; +bank;\r\npriority 1\r\nAdd this? [Y/n/l(iteral)] ",
            "pay rent|2026-11-27 09:00|every month|Home|bank|1"
        ),
        (
            "call mum tomorrow at 5pm", "y\n", "call mum: due tomorrow Tue 24 Nov 17:00, in 3",
            "call mum|2026-11-24 17:00||||0"
        ),
        ("call mum friday", "l\n", "due Fri 27 Nov, in 4 days", "call mum friday|||||0"),
        ("call mum friday", "what\nliteral\n", "due Fri 27 Nov, in 4 days", "call mum friday|||||0"),
        (
            "trash tuesdays 7pm", "\n", "h; every week on Tue\r\nAdd this? [Y/n/l(iteral)] ",
            "trash|2026-11-24 19:00|every week on Tue|||0"
        ),
        ("swim 9am --due friday", "\n", "swim: due Fri 27 Nov 09:00", "swim|2026-11-27 09:00||||0"),
        (
            "read rec:day --after-done", "\n", "every day, counted from when it is done",
            "read|2026-11-23|every day|||0"
        ),
    ])
    func understoodWordsAreShownAndUsed(text: String, answer: String, shown: String, expected: String) throws
    {
        let sandbox = try sandbox()
        let result = try sandbox.terminal("todoctl add \(text)", typing: answer)
        #expect(result.status == 0 && result.output.contains(shown), "\(result)")
        #expect(try item(sandbox) == expected + "\n")
        #expect(try sandbox.todoctl("undo").output.hasPrefix("Undone: added "))
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    @Test func declinedItemIsNotAdded() throws {
        let sandbox = try sandbox()
        for answer in ["n\n", "no\n", ""] {
            let result = try sandbox.terminal("todoctl add call mum friday", typing: answer)
            #expect(result.status == 1 && result.output.contains("Nothing was added."), "\(result)")
        }
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    @Test(arguments: ["buy 3 may flowers", "read chapter 5", "learn C++", "vote +1", "p1"])
    func plainTextIsAddedWithoutQuestion(text: String) throws {
        let sandbox = try sandbox()
        let result = try sandbox.terminal("todoctl add \(text)")
        #expect(result.status == 0 && result.output == "Added 1  \(text)\r\n", "\(result)")
    }

    /// `--quick` asks nothing, `--literal` reads nothing, and in a pipe text is the name.
    @Test func optionsReplaceQuestion() throws {
        let sandbox = try sandbox()
        let literal = try sandbox.terminal("todoctl add --literal call mum friday")
        #expect(literal.output == "Added 1  call mum friday\r\n", "\(literal)")
        let quick = try sandbox.todoctl("add", "--quick", "call mum friday #home !2")
        #expect(quick.output == "Added 2  call mum  (Fri 27 Nov, in 4 days; priority 2; +home)\n", "\(quick)")
        let piped = try sandbox.todoctl("add", "call mum friday")
        #expect(
            piped.output == """
                Added 3  call mum friday
                The whole text is the name. If 'friday' is not part of it:  todoctl edit 3 --name 'call mum' --due friday

                """)
        #expect(
            try sandbox.todoctl("add", "--literal", "call mum friday").output == "Added 4  call mum friday\n")
        let json = try sandbox.todoctl("--json", "add", "call mum friday +x").output
        #expect(json.contains(#""name":"call mum friday +x""#))
        #expect(
            try sandbox.todoctl("list", "-F", "{name}|{tags}|{priority}", "--where", "id == 2").output
                == "call mum|home|2\n")
        let both = try sandbox.todoctl("add", "x", "--quick", "--literal")
        #expect(both.status == 2 && both.errors.contains("--quick cannot be combined with --literal"))
        let terminated = try sandbox.terminal("todoctl add -- call mum +x friday")
        #expect(terminated.output.hasSuffix("call mum +x friday\r\n"), "\(terminated)")
        #expect(try sandbox.todoctl("add", "--quick", "--", "x friday").status == 2)
    }

    @Test func problemStopsQuickAdd() throws {
        let sandbox = try sandbox()
        for (text, reason) in [
            ("fly 4/5 9am", "'4/5 9am' in the name is not used as the due time: it has two readings"),
            ("milk @home @work", "'@home' and '@work' in the name are not used: an item has one category"),
            ("milk due:monday +x friday", "an item has one due time"),
            ("milk @garden", "there is no category 'garden'"),
            ("swim fri 9am rec:\"day\" --between 9-18", "--between"),
        ] {
            let result = try sandbox.shell("todoctl add --quick \(text)")
            #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
            #expect(result.errors.contains("add --literal"), "\(result)")
        }
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    /// A new category is announced, and is created after a question or with `--new-category`.
    @Test func newCategoryIsAnnounced() throws {
        let sandbox = try sandbox()
        let result = try sandbox.terminal("todoctl add milk @garden tomorrow", typing: "y\n")
        #expect(result.output.contains("category garden (new)"), "\(result)")
        #expect(result.output.contains("Add this? The category is new. [Y/n/l(iteral)]"), "\(result)")
        #expect(try item(sandbox) == "milk|2026-11-24||garden||0\n")
        let quick = try sandbox.todoctl("add", "--quick", "--new-category", "seed @balcony")
        #expect(quick.status == 0, "\(quick)")
        #expect(try sandbox.todoctl("list", "-c", "balcony", "-F", "{name}").output == "seed\n")
    }

    @Test func understoodWordsHaveColours() throws {
        let sandbox = try sandbox()
        let line = "todoctl --color always add milk tomorrow +shop"
        let coloured = try sandbox.terminal(line, typing: "n\n").output
        #expect(coloured.contains("milk \u{1B}[33mtomorrow\u{1B}[0m \u{1B}[32m+shop\u{1B}[0m"), "\(coloured)")
        let plain = try sandbox.terminal(
            "TERM=xterm NO_COLOR=1 \(line.replacing("--color always ", with: ""))", typing: "n\n")
        #expect(!plain.output.contains("\u{1B}"), "\(plain)")
    }

    @Test func descriptionIsWrappedAtWidth() throws {
        let sandbox = try sandbox()
        let result = try sandbox.terminal(
            "stty cols 40; todoctl add pay the rent fri 9am +bank p1 every month", typing: "n\n")
        let lines = result.output.split(separator: "\r\n").prefix { !$0.contains("Add this?") }
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 40 }, "\(result)")
    }

    @Test func dryRunAddsNothing() throws {
        let sandbox = try sandbox()
        let reply = try sandbox.call(
            "AddItem", #"{"name":"Milk friday @home @home +new","quick":true,"dryRun":true}"#)
        #expect(reply.error == nil)
        guard case .array(let parts)? = reply.parameters["parts"] else {
            Issue.record("no parts: \(reply)")
            return
        }
        #expect(parts.count == 4)
        #expect(try sandbox.call("Status").integer("items") == 0)
        #expect(try sandbox.call("ListTags").parameters["tags"] == .array([]))
        let added = try sandbox.call("AddItem", #"{"name":"Milk friday @home +new","quick":true}"#)
        #expect(added.error == nil)
        #expect(try item(sandbox) == "Milk|2026-11-27||Home|new|0\n")
    }
}
