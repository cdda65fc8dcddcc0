import Foundation
import Testing
import Varlink

/// Text as new users type it, and the hints and errors for text that means something else.
@Suite struct TypedTextTests {
    @Test(arguments: [
        ("Call mum friday 5pm", "--due 'friday 5pm'"), ("Call mum every monday", "--every monday"),
        ("Call mum  by tomorrow", "--due 'by tomorrow'"),
        ("Call mum every monday 9am", "--every 'monday 9am'"),
        ("Call mum every morning", "--every morning"),
        ("Call mum every evening at 8", "--every 'evening at 8'"),
        ("Call mum at 9am every monday", "--every 'at 9am every monday'"),
        ("Call mum tuesdays 7pm", "--every 'tuesdays 7pm'"), ("Call mum hourly", "--every hourly"),
    ])
    func timeInNameLeadsToHint(name: String, options: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let lines = try sandbox.todoctl("add", name).output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines[0] == "Added 1  \(name)")
        let command = try #require(lines.last?.components(separatedBy: ":  ").last)
        #expect(command == "todoctl edit 1 --name 'Call mum' \(options)")
        #expect(try sandbox.shell(command).output.hasPrefix("Changed 1  Call mum  ("))
    }

    /// A time at the end of a name that is past or does not exist is named as a whole, and no part of it is suggested.
    @Test(arguments: [
        ("Pay bill today 8am", "today 8am", "it has passed"),
        ("Fly 4/5 9am", "4/5 9am", "it has two readings; did you mean '4 may 9am' or '5 apr 9am'?"),
        ("Meet friday 31 nov 12:00", "friday 31 nov 12:00", "November has 30 days, there is no day 31"),
        ("Return books tomorrow 25:00", "tomorrow 25:00", "there is no time of day '25:00'"),
        ("Return books friday 31 nov", "friday 31 nov", "November has 30 days, there is no day 31"),
    ])
    func refusedTimeInNameIsNamedWhole(name: String, text: String, reason: String) throws {
        let sandbox = try Sandbox(now: "2026-11-23T10:20:00", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        let added = try sandbox.todoctl("add", name)
        #expect(added.status == 0)
        #expect(added.errors == "Note: '\(text)' in the name is not used as the due time: \(reason)\n")
        let hint = "No due time set. To set one:  todoctl edit 1 --due TIME"
        #expect(added.output == "Added 1  \(name)\n\(hint)\n")
        // On a terminal, `add` does not ask about a part of it.
        let asked = try sandbox.terminal("todoctl add \(name)", typing: "")
        #expect(asked.status == 0, "\(asked)")
        #expect(!asked.output.contains("[Y/n]"), "\(asked)")
    }

    @Test(arguments: [String(repeating: "long ", count: 100), "a\u{1B}b "])
    func longOrEscapedNameIsNotRepeatedInHint(start: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let output = try sandbox.todoctl("add", "\(start)tomorrow").output
        #expect(
            output.hasSuffix(
                "\nThe whole text is the name. If 'tomorrow' is not part of it:  todoctl edit 1 --due tomorrow\n"
            )
        )
    }

    @Test func itemWithDueTimeOrPlainNameGetsNoHint() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for words in [
            ["Pay the rent"], ["Call mum friday", "--due", "tomorrow"], ["Swim friday", "--every", "week"],
        ] {
            #expect(try sandbox.run("todoctl", ["add"] + words).output.split(separator: "\n").count == 1)
        }
        #expect(try sandbox.call("AddItem", #"{"name":"Call mum friday"}"#).parameters["parts"] == nil)
    }

    /// D11: A time span is read in the same way everywhere, as after `in`.
    @Test(arguments: [
        ("1h30", 5_400), ("8h 30m", 30_600), ("2h 30m", 9_000), ("1.5h", 5_400), ("half an hour", 1_800),
        ("an hour and a half", 5_400), ("90m", 5_400), ("a fortnight", 1_209_600),
    ])
    func timeSpanIsReadTheSameEverywhere(text: String, seconds: Int) throws {
        let sandbox = try Sandbox(now: "2026-11-23T08:49:00", zone: "Europe/Berlin")
        try sandbox.write("[Alert]\nCatchUp=\(text)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        let add = try sandbox.todoctl("add", "x", "--due", "in \(text)", "--lead", text)
        #expect(add.status == 0, "\(add)")
        #expect(
            try sandbox.todoctl("list", "--where", "ANY leads == \(seconds)", "-F", "{id}").output == "1\n")
        #expect(
            try sandbox.todoctl("list", "--where", "ANY leads == '\(text)'", "-F", "{id}").output == "1\n")
        #expect(try sandbox.todoctl("list", "--within", text, "-F", "{id}").output == "1\n")
        #expect(try sandbox.todoctl("due", text, "-F", "{id}").output == "1\n")
        #expect(try sandbox.todoctl("edit", "1", "--every", text).status == 0)
        #expect(try sandbox.todoctl("config").output.contains(text))
    }

    @Test(arguments: [
        (
            ["add", "x", "--due", "tomorrow", "--lead", "5"], 1,
            "'5' is not a time span; try 5min"
        ),
        (["add", "x", "--due", "tomorrow", "--lead", "1h,5"], 1, "'5' is not a time span"),
        (
            ["add", "x", "--due", "tomorrow", "--lead", "a month"], 1,
            "'a month' has no fixed length, because it depends on the date; try 5min"
        ),
        (
            ["add", "x", "--due", "tomorrow", "--lead", "1.5s"], 1,
            "'1.5s' is too long, or has a fraction of a second"
        ),
        (["due", "5"], 1, "'5' is not a time span; try 24h or 7d"),
        (["list", "--within", "1h 5"], 1, "'1h 5' is not a time span"),
        (["list", "--limit", "0"], 2, "--limit takes a number of at least 1"),
        (["edit", "1", "--after-done"], 1, "cannot use the option --after-done"),
    ])
    func ambiguousValueIsRefused(words: [String], status: Int32, text: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a"])
        let result = try sandbox.run("todoctl", words)
        #expect(result.status == status && result.errors.contains(text), "\(result)")
        #expect(try sandbox.call("Status").integer("items") == 1)
    }

    /// A name without a visible character is refused, and nothing is added.
    @Test(arguments: ["\u{200B}\u{200B}", " \u{2060}", "\u{FEFF}", "\u{3164}", "\u{2800}\u{200D}", "\u{301}"])
    func invisibleNameIsRefused(name: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for words in [["add", name], ["category", "add", name]] {
            let result = try sandbox.run("todoctl", words)
            #expect(
                result.status == 1 && result.errors.contains("it has only invisible characters"), "\(result)")
        }
        #expect(try sandbox.call("Status").integer("items") == 0)
        #expect(try sandbox.todoctl("add", "a\u{200D}b").status == 0)
    }

    /// D4: A time of today that has passed is refused with the same text, however the day is named.
    @Test(arguments: ["today 8am", "22 nov 8am", "nov 22 8am", "22.11. 8am", "2026-11-22 08:00"])
    func timeThatHasPassedTodayIsRefused(due: String) throws {
        let sandbox = try Sandbox(now: "2026-11-22T08:49:30", zone: "Europe/Berlin")
        _ = try sandbox.startDaemon()
        let result = try sandbox.todoctl("add", "x", "--due", due)
        #expect(result.status == 1)
        #expect(
            result.errors == """
                todoctl: the due time '\(due)' is in the past: today 08:00, 50 min ago
                To accept it, add --past.

                """)
        #expect(try sandbox.todoctl("add", "x", "--past", "--due", due).status == 0)
    }

    @Test func nameInsteadOfNumberGetsCommandToFindIt() throws {
        let sandbox = try Sandbox()
        for words in [
            ["done", "Pay the rent"], ["edit", "Pay the rent"], ["snooze", "Pay the rent", "10m"],
        ] {
            let result = try sandbox.run("todoctl", words)
            #expect(result.status == 2)
            #expect(
                result.errors == """
                    todoctl: 'Pay the rent' is not the number of an item
                    To find it:  todoctl list 'Pay the rent'

                    """)
        }
        #expect(try !sandbox.todoctl("done", "3..5").errors.contains("To find it"))
    }

    @Test func optionWithoutDashesIsRecognised() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("list", "overdue").output
                == "No open item matches overdue. Did you mean 'todoctl list --overdue'?\n")
        #expect(try sandbox.todoctl("list", "rent").output == "No open item matches rent.\n")
    }

    /// Without the error, times would be those of another zone.
    @Test func missingTimeZoneIsNamed() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for (name, isKnown) in [("Nope/Zone", false), (":/nope", false), ("Europe/Berlin", true), ("", true)]
        {
            let errors = try sandbox.todoctl("list", environment: ["TZ": name]).errors
            let text = "todoctl: TZ names an unknown time zone, '\(name)'; times are in UTC\n"
            #expect(errors == (isKnown ? "" : text))
        }
    }

    @Test(arguments: [("Nope/Zone", false), ("Europe/Berlin", true)])
    func daemonNamesMissingTimeZoneOnce(name: String, isKnown: Bool) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon(environment: ["TZ": name])
        #expect(try sandbox.todoctl("add", "x", "--due", "9am").status == 0)
        #expect(daemon.stop() == 0)
        let text = "todod: TZ names an unknown time zone, '\(name)'; times are in UTC"
        let lines = daemon.errors.split(separator: "\n").filter { $0.contains("time zone") }
        #expect(lines == (isKnown ? [] : [text[...]]))
    }

    @Test func leadTimeOfZeroNeedsNoUnit() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "x", "--due", "in 2 days", "--lead", "0,1h").status == 0)
    }

    /// Text in another encoding is not stored with replacement characters.
    @Test func textThatIsNotUTF8IsRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let result = try sandbox.shell("todoctl add \"$(printf 'caf\\351')\"")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("todoctl: 'caf\u{FFFD}' is not UTF-8 text\n"), "\(result)")
        #expect(try sandbox.call("Status").integer("items") == 0)
    }
}
