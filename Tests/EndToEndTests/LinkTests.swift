import Foundation
import Testing
import TodoAPI
import Varlink

/// The URL, the links, the estimate and the progress of items, from the command line and over the socket.
@Suite struct LinkTests {
    private func sandbox(_ kind: String = "sqlite") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        return sandbox
    }

    private func item(_ sandbox: Sandbox) throws -> String {
        try sandbox.run(todoctl: "list --all --sort id --format '{url}|{links}|{estimate}|{percent}'")
    }

    private static let full =
        "add Buy bread --url https://example.com/a --estimate 1h30m --percent 60% "
        + "--link 'https://a.example/x,y The offer' --link https://b.example"

    // MARK: - Commands

    @Test(arguments: ["sqlite", "xml", "binary"]) func detailsAreAddedShownAndChanged(kind: String) throws {
        let sandbox = try sandbox(kind)
        _ = try sandbox.run(todoctl: Self.full)
        let shown = try sandbox.run(todoctl: "show 1")
        for line in [
            "URL:           https://example.com/a\n", "Estimate:      1h 30min\n", "Progress:      60%\n",
            "Links:         1  https://a.example/x,y  The offer\n               2  https://b.example\n",
        ] {
            #expect(shown.contains(line), "\(shown)")
        }
        #expect(try sandbox.run(todoctl: "list").hasPrefix("ID   %  ITEM\n 1  60  Buy bread"))
        _ = try sandbox.run(todoctl: "edit 1 --unlink 1 --link https://c.example --percent 70")
        #expect(
            try sandbox.run(todoctl: "show 1").contains(
                "1  https://b.example\n               2  https://c.example\n")
        )
        _ = try sandbox.run(todoctl: "edit 1 --unlink https://b.example --link 'https://c.example Third'")
        #expect(try sandbox.run(todoctl: "show 1").contains("Links:         1  https://c.example  Third\n"))
        _ = try sandbox.run(todoctl: "edit 1 --no-links --url '' --estimate '' --percent 0")
        #expect(try item(sandbox) == "|||\n")
    }

    @Test(
        arguments: [
            ("--url example.com", "'example.com': it is not a URL, which begins with a scheme"),
            ("--url 'https://a b'", "a URL has no spaces; write %20 for each"),
            ("--url https:", "the URL ends after its scheme"),
            ("--link example.com", "cannot use the option --link: 'example.com': it is not a URL"),
            ("--unlink 3", "item 1 has no link '3'; it has 2 links, which 'todoctl show 1' lists"),
            ("--unlink https://x.example", "item 1 has no link 'https://x.example'"),
            ("--estimate soon", "'soon' is not a time span; try 1h30m"),
            ("--percent 101", "--percent takes a number from 0 to 100, not '101'"),
            ("--link ''", "To remove all links, use --no-links."),
            ("--tag ''", "To remove all tags, use --no-tags."),
            ("--no-links --unlink 1", "--no-links and --unlink cannot be combined"),
        ])
    func wrongValueIsNamed(options: String, message: String) throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: Self.full)
        let before = try item(sandbox)
        #expect(try sandbox.refusal(ofTodoctl: "edit 1 \(options)").contains(message))
        #expect(try item(sandbox) == before)
    }

    @Test func linksBeyondTheLimitsAreRefused() throws {
        let sandbox = try sandbox()
        func field(_ parameters: String) throws -> String? {
            let reply = try sandbox.call("AddItem", #"{"name":"x",\#(parameters)}"#)
            #expect(reply.error.map { $0.hasSuffix(".InvalidValue") } ?? true, "\(reply)")
            return reply.text("field")
        }
        func links(_ count: Int) -> String {
            let all = (0..<count).map { #"{"url":"test:\#($0)"}"# }.joined(separator: ",")
            return #""links":[\#(all)]"#
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(try field(links(100)) == nil)
        #expect(try field(links(101)) == "links")
        #expect(try field(#""url":"test:\#(text(65_531))""#) == nil)
        #expect(try field(#""url":"test:\#(text(65_532))""#) == "url")
        #expect(
            try field(#""links":[{"url":"test:x","title":"\#(text(1_024))","mediaType":"a/\#(text(253))"}]"#)
                == nil)
        #expect(try field(#""links":[{"url":"test:x","title":"\#(text(1_025))"}]"#) == "links[0].title")
        #expect(
            try field(#""links":[{"url":"test:x","mediaType":"a/\#(text(254))"}]"#) == "links[0].mediaType")
    }

    @Test func numberOfLinkNeedsSingleItem() throws {
        let sandbox = try sandbox()
        for name in ["a", "b"] { _ = try sandbox.run(todoctl: "add \(name) --link https://\(name).example") }
        #expect(
            try sandbox.refusal(ofTodoctl: "edit 1 2 --unlink 1").contains(
                "works with a single item only; use its URL")
        )
        _ = try sandbox.run(todoctl: "edit 1 2 --unlink https://b.example")
        #expect(try sandbox.run(todoctl: "list --where 'links.@count > 0' --format '{id}'") == "1\n")
    }

    @Test func itemsAreFilteredAndSorted() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a --estimate 2h --percent 50 --url https://example.com")
        _ = try sandbox.run(todoctl: "add b --estimate 10min --link https://example.com/b")
        _ = try sandbox.run(todoctl: "add c --percent 20")
        func ids(_ options: String) throws -> String {
            try sandbox.run(todoctl: "list --format '{id}' \(options)").replacing("\n", with: "")
        }
        #expect(try ids("--where 'estimate >= \"30m\"'") == "1")
        #expect(try ids("--where 'percent > 10'") == "13")
        #expect(try ids("--where 'ANY links CONTAINS \"example\"'") == "2")
        #expect(try ids("--where 'url == nil'") == "23")
        #expect(try ids("--sort estimate") == "213" && ids("--sort percent") == "312")
        #expect(
            try sandbox.refusal(ofTodoctl: "list --where 'estimate == \"x\"'").contains("is no time span"))
        #expect(try sandbox.refusal(ofTodoctl: "list --where 'links == \"x\"'").contains("ANY links =="))
    }

    // MARK: - Completion

    @Test func progressStaysWithItemThatIsDone() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a --percent 60")
        _ = try sandbox.run(todoctl: "done 1")
        #expect(try !sandbox.run(todoctl: "show 1").contains("Progress"))
        #expect(try sandbox.run(todoctl: "export --format icalendar").contains("PERCENT-COMPLETE:100\r\n"))
        _ = try sandbox.run(todoctl: "reopen 1")
        #expect(try sandbox.run(todoctl: "show 1").contains("Progress:      60%"))
    }

    @Test(arguments: ["done", "skip"]) func nextOccurrenceBeginsWithoutProgress(command: String) throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: "add a --every day --percent 60 --estimate 1h --url https://example.com")
        _ = try sandbox.run(todoctl: "\(command) 1")
        #expect(try item(sandbox) == "https://example.com||3600|\n")
        _ = try sandbox.run(todoctl: "undo")
        #expect(try item(sandbox) == "https://example.com||3600|60\n")
    }

    // MARK: - Undo

    /// Links return to their former positions.
    @Test(arguments: ["sqlite", "xml"]) func changesAreUndoneAndRedone(kind: String) throws {
        let sandbox = try sandbox(kind)
        _ = try sandbox.run(todoctl: Self.full)
        let changes = [
            ("edit 1 --unlink 1 --link https://c.example", "changed the links of 'Buy bread'"),
            ("edit 1 --link 'https://c.example Third'", "changed the links of 'Buy bread'"),
            ("edit 1 --url '' --percent 5", "changed the URL and the progress of 'Buy bread'"),
            ("edit 1 --estimate 5m --no-links", "changed the estimate and the links of 'Buy bread'"),
            ("delete 1", "deleted 'Buy bread'"),
        ]
        var states = [try item(sandbox)]
        for (line, _) in changes {
            _ = try sandbox.run(todoctl: line)
            states.append(try item(sandbox))
        }
        for (index, change) in changes.enumerated().reversed() {
            #expect(try sandbox.run(todoctl: "undo").contains(change.1))
            #expect(try item(sandbox) == states[index], "undo of \(change.0)")
        }
        #expect(try sandbox.run(todoctl: "undo").contains("added 'Buy bread'"))
        _ = try sandbox.run(todoctl: "redo")
        for (index, change) in changes.enumerated() {
            #expect(try sandbox.run(todoctl: "redo").contains(change.1))
            #expect(try item(sandbox) == states[index + 1], "redo of \(change.0)")
        }
    }

    // MARK: - Files

    @Test(arguments: ["json", "icalendar", "coredata"]) func exportIsReadBack(format: String) throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: Self.full + " --tag errand")
        _ = try sandbox.run(todoctl: "add done --percent 30")
        _ = try sandbox.run(todoctl: "done 2")
        let link = #"{"url":"https://d.example","mediaType":"application/pdf","attachment":true}"#
        #expect(try sandbox.call("UpdateItems", #"{"ids":[1],"addLinks":[\#(link)]}"#).error == nil)
        _ = try sandbox.run(todoctl: "export --format \(format) > ~/items")
        #expect(try sandbox.run(todoctl: "import ~/items") == "2 unchanged\n")
        let other = try self.sandbox()
        _ = try other.run(todoctl: "import \(sandbox.directory)/items")
        #expect(try item(other) == item(sandbox))
        #expect(try other.run(todoctl: "import \(sandbox.directory)/items") == "2 unchanged\n")
    }

    /// A file of a program or a version without a property says nothing about it. An empty value removes it.
    @Test func missingPropertyOfFileStays() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: Self.full + " --tag errand")
        let uid = try sandbox.run(todoctl: "list --format '{uid}'").trimmingCharacters(
            in: .whitespacesAndNewlines)
        func importing(_ fields: String) throws -> String {
            let item = #"{"uid":"\#(uid)","name":"Other","modifiedAt":"2099-01-01T00:00:00Z"\#(fields)}"#
            let text = JSON.string(#"{"todod":1,"categories":[],"items":[\#(item)]}"#).text
            #expect(try sandbox.call("Import", #"{"text":\#(text)}"#).integer("updated") == 1)
            return try sandbox.run(
                todoctl: "list --format '{name}|{url}|{estimate}|{percent}|{tags}|{links}'")
        }
        let kept = try importing("")
        #expect(kept.hasPrefix("Other|https://example.com/a|5400|60|errand|") && kept.contains("b.example"))
        let emptied = #","url":"","estimate":0,"percent":0,"tags":[],"links":[]"#
        #expect(try importing(emptied) == "Other|||||\n")
    }

    /// Other stores learn that a property was removed.
    @Test func removedPropertyIsExported() throws {
        let sandbox = try sandbox()
        _ = try sandbox.run(todoctl: Self.full + " --tag errand")
        _ = try sandbox.run(
            todoctl: "add other --url https://example.com --estimate 1h --percent 1 --tag x --link a:b")
        _ = try sandbox.run(todoctl: "export > ~/before")
        _ = try sandbox.run(todoctl: "edit 1 --url '' --estimate '' --percent 0 --no-tags --no-links")
        _ = try sandbox.run(todoctl: "export > ~/after")
        let other = try self.sandbox()
        _ = try other.run(todoctl: "import \(sandbox.directory)/before")
        #expect(try other.run(todoctl: "import \(sandbox.directory)/after") == "1 updated, 1 unchanged\n")
        #expect(try item(other) == item(sandbox))
    }
}
