import Foundation
import TestProcesses
import Testing
import TodoAPI

/// `todoctl sync add`, with servers in the place of todod and todod-sync.
@Suite struct SyncAddTests {
    private func services() throws -> FakeServices {
        let services = try FakeServices()
        services.set { state in
            state.found = [
                .sample("home"), .sample("work", readOnly: true), .sample("old", account: "Work"),
            ]
        }
        return services
    }

    // MARK: - On a terminal

    @Test func addAsksForUserPasswordAndLists() throws {
        let services = try services()
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(["sync", "add", "ann@example.org"], on: terminal)
        try terminal.wait(for: "User on example.org [ann]: ")
        try terminal.type("\n")
        try terminal.wait(for: "Password of ann on example.org: ")
        while terminal.showsInput { usleep(1_000) }
        try terminal.type("secret\n")
        try terminal.wait(for: "Lists on example.org:")
        try terminal.wait(
            for: "1  home\r\n  2  work  (read-only)\r\n  3  old  (synchronized already, by Work)")
        try terminal.wait(for: "[all that are not synchronized yet]: ")
        #expect(!terminal.shown.contains("secret") && terminal.showsInput)
        try terminal.type("4\n")
        try terminal.wait(for: "There is no list 4.")
        try terminal.type("3\n")
        try terminal.wait(for: "'old' is synchronized already.")
        try terminal.type("1-2\n")
        try terminal.wait(for: "'home' is synchronized with the category 'home'")
        try terminal.wait(for: "'work' (read-only: changes here are not sent)")
        try terminal.wait(for: "Account dav.example.org. To see the progress:  todoctl sync")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(services.calls.count == 2)
        #expect(services.calls[0].contains(#""password":"secret""#))
        #expect(services.calls[1].contains(#""url":"https://dav.example.org/ann/""#))
        #expect(services.calls[1].contains(#""category":"work","readOnly":true"#))
    }

    @Test func addAsksForCategoryWithItems() throws {
        let services = try services()
        services.set { $0.categories = [.sample("Home", items: 12), .sample("Garden", items: 0)] }
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(
            [
                "sync", "add", "dav.example.org", "-u", "ann", "--password-source", "keyring", "--list",
                "home",
            ],
            on: terminal)
        try terminal.wait(for: "The category 'Home' has 12 items, which will be sent to dav.example.org.")
        try terminal.wait(for: "Category for the list 'home' [Home]: ")
        try terminal.type("garden\n")
        try terminal.wait(for: "'home' is synchronized with the category 'Garden'")
        process.waitUntilExit()
        #expect(services.calls[1].contains(#""category":"Garden""#))
    }

    @Test func categoryWithItemsIsAcceptedWithEnter() throws {
        let services = try services()
        services.set { $0.categories = [.sample("home", items: 1)] }
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(
            [
                "sync", "add", "dav.example.org", "-u", "ann", "--password-source", "keyring", "--list",
                "home",
            ],
            on: terminal)
        try terminal.wait(for: "has 1 item, which will be sent to dav.example.org.")
        try terminal.wait(for: "[home]: ")
        try terminal.type("\n")
        try terminal.wait(for: "'home' is synchronized with the category 'home'")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func interruptedPasswordPromptShowsInputAgain() throws {
        let services = try services()
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(["sync", "add", "dav.example.org", "-u", "ann"], on: terminal)
        try terminal.wait(for: "Password of ann on dav.example.org: ")
        while terminal.showsInput { usleep(1_000) }
        try terminal.type("\u{3}")
        try terminal.wait(for: "Interrupted; nothing was changed.")
        process.waitUntilExit()
        #expect(terminal.showsInput)
        #expect(process.terminationStatus != 0)
        #expect(services.calls.isEmpty)
    }

    @Test func longWaitNamesServer() throws {
        let services = try services()
        services.set { $0.delayMilliseconds = 3_600 }
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(
            ["sync", "add", "dav.example.org", "-u", "ann", "--password-source", "keyring", "--all"],
            on: terminal)
        try terminal.wait(for: "No answer for 3 s; still waiting for dav.example.org, Ctrl-C stops.")
        try terminal.wait(for: "Account dav.example.org.")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func unencryptedServerNeedsConfirmation() throws {
        let services = try services()
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(["sync", "add", "http://dav.example.org/"], on: terminal)
        try terminal.wait(for: "sent to dav.example.org without encryption")
        try terminal.wait(for: "Continue? [y/N] ")
        try terminal.type("\n")
        try terminal.wait(for: "Nothing was changed.")
        process.waitUntilExit()
        let line = "--user ann --password-source keyring --all"
        let refused = try services.todoctl("sync add http://dav.example.org \(line)")
        #expect(refused.status == 2 && refused.errors.contains("Use https, or add --yes to accept this."))
        #expect(services.calls.isEmpty)
        #expect(try services.todoctl("sync add http://dav.example.org \(line) --yes").status == 0)
        #expect(try services.todoctl("sync add http://127.0.0.1:5232 \(line)").status == 0)
    }

    // MARK: - In a script

    @Test func optionsReplaceQuestions() throws {
        let services = try services()
        try services.write("secret\nsecond line\n", to: "secret")
        let result = try services.todoctl(
            "sync add https://dav.example.org --user ann --password-file secret --list Home --category House --name Mine"
        )
        #expect(result.status == 0 && result.errors == "")
        #expect(
            result.output == """
                'home' is synchronized with the category 'House'
                Account dav.example.org. To see the progress:  todoctl sync

                """)
        #expect(
            services.calls == [
                #"FindLists {"url":"https://dav.example.org","user":"ann","password":"secret","name":"Mine"}"#,
                #"AddAccount {"name":"Mine","url":"https://dav.example.org/ann/","user":"ann","password":"secret","lists":[{"url":"https://dav.example.org/ann/home/","name":"home","category":"House"}]}"#,
            ])
    }

    @Test(arguments: [
        ("--password-command 'pass show dav'", "command:pass show dav"),
        ("--password-source credential:dav", "credential:dav"), ("--password-source file:/x", "file:/x"),
        ("--password-source keyring", "keyring"),
    ])
    func placeOfPasswordIsSent(options: String, source: String) throws {
        let services = try services()
        let result = try services.todoctl("sync add dav.example.org -u ann \(options) --all --json")
        #expect(result.status == 0 && result.output.hasPrefix(#"{"account":{"#), "\(result)")
        for call in services.calls { #expect(call.contains(#""passwordSource":"\#(source)""#)) }
    }

    @Test func configurationNeedsNoPlace() throws {
        let services = try services()
        #expect(
            try services.todoctl("sync add dav.example.org -u ann --password-source configuration --all")
                .status == 0)
        #expect(services.calls[0] == #"FindLists {"url":"dav.example.org","user":"ann","passwordSource":""}"#)
    }

    @Test func serverWithoutUsersNeedsNoPassword() throws {
        let services = try services()
        #expect(try services.todoctl("sync add https://dav.example.org --user '' --all").status == 0)
        #expect(services.calls[0] == #"FindLists {"url":"https://dav.example.org"}"#)
    }

    @Test func readableFileGetsWarning() throws {
        let services = try services()
        try services.write("secret", to: "secret", permissions: 0o644)
        let result = try services.todoctl("sync add dav.example.org -u ann --password-file secret --all")
        #expect(result.status == 0)
        #expect(
            result.errors
                == "todoctl: other users may be able to read secret. To prevent this:  chmod 600 secret\n")
    }

    @Test(arguments: [
        ("dav.example.org --password hunter2", "a password is not typed on the command line"),
        ("dav.example.org --password=hunter2", "a password is not typed on the command line"),
        ("https://ann:hunter2@dav.example.org", "the URL has a password"),
        ("ftp://dav.example.org", "a URL begins with https, not 'ftp'"),
        ("''", "needs a URL such as https://dav.example.org"),
        ("dav.example.org", "needs lists, and there is no terminal to ask on"),
        ("dav.example.org --all", "needs a password, and there is no terminal to ask on"),
        ("dav.example.org --all --list x", "--list and --all cannot be combined"),
        ("dav.example.org --all --category x", "--category needs a single list"),
        ("dav.example.org --all --password-source x", "--password-source takes keyring, credential:NAME"),
        (
            "dav.example.org --all --password-source keyring --password-command x",
            "cannot be combined"
        ),
    ])
    func wrongCommandLineIsRefused(line: String, error: String) throws {
        let services = try services()
        let result = try services.todoctl("sync add \(line)")
        #expect(result.status == 2 && result.errors.contains(error), "\(result)")
        #expect(!result.errors.contains("hunter2"))
        #expect(services.calls.isEmpty)
    }

    @Test func unknownListIsNamedWithSimilarOne() throws {
        let services = try services()
        let options = "-u ann --password-source keyring"
        let unknown = try services.todoctl("sync add dav.example.org \(options) --list hom")
        #expect(unknown.status == 1)
        #expect(
            unknown.errors == """
                todoctl: dav.example.org has no list 'hom'; did you mean 'home'?
                Its lists of tasks:  'home', 'work', 'old'

                """)
        let known = try services.todoctl("sync add dav.example.org \(options) --list old")
        #expect(known.errors.contains("the list 'old' is synchronized already, by the account 'Work'"))
        #expect(services.calls.allSatisfy { $0.hasPrefix("FindLists") })
    }

    @Test func categoryOfAnotherListIsRefused() throws {
        let services = try services()
        services.set { state in
            state.categories = [.sample("home", items: 3)]
            state.accounts = [.sample("Work", lists: [.sample(1, "tasks", category: "Home")])]
        }
        let options = "-u ann --password-source keyring --list home"
        let result = try services.todoctl("sync add dav.example.org \(options) --yes")
        #expect(result.status == 2, "\(result)")
        #expect(result.errors.contains("is synchronized with the list 'tasks' of Work already"))
        #expect(result.errors.contains("For another category:  --list home --category NAME"))
        #expect(try services.todoctl("sync add dav.example.org \(options) --category Garden").status == 0)
    }

    @Test func categoryWithItemsNeedsConfirmationInScript() throws {
        let services = try services()
        services.set { $0.categories = [.sample("home", items: 3)] }
        let options = "-u ann --password-source keyring --list home"
        let result = try services.todoctl("sync add dav.example.org \(options)")
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix(
                "todoctl: the category 'home' has 3 items, which will be sent to dav.example.org, and there is"
            ))
        #expect(try services.todoctl("sync add dav.example.org \(options) --yes").status == 0)
    }

    @Test func problemOfServerIsShown() throws {
        let services = try services()
        services.set { $0.problem = "the password is wrong\nTo change it, add the account again." }
        let result = try services.todoctl("sync add ann@example.org --password-source keyring --all")
        #expect(result.status == 1)
        #expect(
            result.errors == """
                todoctl: the password is wrong
                To change it, add the account again.
                If the server takes the whole address as the user:  todoctl sync add 'ann@example.org' --user 'ann@example.org'

                """)
    }

    @Test func synchronizedListsAreNotAddedAgain() throws {
        let services = try services()
        services.set { state in
            state.accounts = [.sample("Work", lists: [])]
            state.found = [.sample("old", account: "Work")]
        }
        let line = "sync add dav.example.org -u ann --password-source keyring --all"
        #expect(
            try services.todoctl(line).output
                == "All lists on dav.example.org are synchronized already.\n")
        let json = try services.todoctl("\(line) --json")
        #expect(json.output.hasPrefix(#"{"account":{"id":0,"name":"Work""#))
        #expect(services.calls.allSatisfy { $0.hasPrefix("FindLists") })
    }

    @Test func passwordOfKnownAccountIsChanged() throws {
        let services = try services()
        services.set { state in
            state.accounts = [.sample("Work", lists: [])]
            state.accounts[0].url = "https://dav.example.org/ann/"
            state.found = [.sample("old", account: "Work")]
        }
        try services.write("new secret", to: "secret")
        let result = try services.todoctl("sync add dav.example.org -u ann --password-file secret --all")
        #expect(result.output.hasSuffix("are synchronized already, from now on with this password.\n"))
        #expect(services.calls[1].hasSuffix(#""user":"ann","password":"new secret","lists":[]}"#))
    }

    @Test func listWithoutCategoryIsAddedAgain() throws {
        let services = try services()
        services.set { state in
            state.accounts = [.sample("Work", lists: [.sample(1, "old", category: nil)])]
        }
        let line = "sync add dav.example.org -u ann --password-source keyring --list old --category New"
        #expect(try services.todoctl(line).status == 0)
        #expect(services.calls[1].contains(#""name":"old","category":"New""#))
    }

    @Test func serverWithoutListsIsExplained() throws {
        let services = try FakeServices()
        let result = try services.todoctl("sync add dav.example.org -u ann --password-source keyring --all")
        #expect(result.status == 1 && result.errors.contains("has no lists of tasks for ann"))
    }
}
