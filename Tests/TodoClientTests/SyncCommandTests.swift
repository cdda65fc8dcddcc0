import CivilTime
import Foundation
import TestProcesses
import Testing
import TodoAPI

@testable import TodoClient

/// The `sync` commands apart from `sync add`, with servers in the place of todod and todod-sync.
@Suite struct SyncCommandTests {
    private func services(hasSync: Bool = true) throws -> FakeServices {
        let services = try FakeServices(hasSync: hasSync)
        services.set { state in
            state.accounts = [
                .sample(
                    "dav.example.org",
                    lists: [.sample(1, "home", category: "Home"), .sample(2, "work", category: "Work")])
            ]
        }
        return services
    }

    private func held(_ services: FakeServices) {
        services.set { state in
            state.accounts[0].lists[0].heldDeletions = "14 of 15 tasks are gone on the server"
            (state.accounts[0].lists[0].heldItems, state.accounts[0].lists[0].heldNames) = (
                14, ["Tea", "Milk"]
            )
        }
    }

    // MARK: - Status

    @Test func statusShowsLists() throws {
        let services = try services()
        services.set { state in
            var work = SyncAccountState()
            (work.name, work.nextSync) = ("dav.example.org", Timestamp.now + 180)
            state.states = [work]
            (state.accounts[0].lists[1].unsent, state.accounts[0].lists[1].readOnly) = (3, true)
        }
        for line in ["sync", "sync status"] {
            let result = try services.todoctl(line)
            #expect(
                result.output == """
                    ITEMS  UNSENT  CONFLICTS  LAST SYNC  CATEGORY  LIST

                    dav.example.org  (https://dav.example.org/, user ann)
                       12       0          0  2 min ago  Home      home
                       12       3          0  2 min ago  Work      work (read-only)

                    work: 3 changes stay here, because you may only read the list on the server
                      Undo them, or move the items to another category.

                    todod-sync is running, and synchronizes again in 3 min.

                    """)
            #expect(result.status == 1 && result.errors == "")
        }
        let json = try services.todoctl("sync status --json")
        #expect(json.status == 1 && json.output.hasPrefix(#"{"accounts":[{"id":0,"name":"dav.example.org""#))
        #expect(json.output.contains(#""states":[{"name":"dav.example.org","state":"idle""#))
    }

    @Test func statusOfTododNamesWhatNeedsAttention() throws {
        let line = { (services: FakeServices) in
            try services.todoctl("status").output.split(separator: "\n").first {
                $0.hasPrefix("Synchronized")
            }
            .map { $0.drop { $0 != " " }.drop { $0 == " " } }
        }
        let services = try services()
        #expect(try line(services) == "2 lists")
        services.set { $0.accounts[0].lists[1].conflicts = 1 }
        #expect(
            try line(services) == "2 lists; some changes have lost against others, see: todoctl sync status")
        held(services)
        #expect(try line(services) == "2 lists; something needs attention, see: todoctl sync status")
        services.set { $0.accounts = [] }
        #expect(try line(services) == nil)
        let alone = try self.services(hasSync: false)
        #expect(try line(alone) == "2 lists; todod-sync does not answer, see: todoctl sync status")
    }

    @Test func statusOfAnOldTododIsShown() throws {
        let services = try services()
        services.set { $0.isOld = true }
        let result = try services.todoctl("status")
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output.contains("todod 0.0") && result.output.contains("Restart the daemon:"))
        #expect(!result.output.contains("Synchronized"))
    }

    @Test func statusNamesCommandsForProblems() throws {
        let services = try services()
        held(services)
        services.set { state in
            (state.accounts[0].lists[1].problem, state.accounts[0].lists[1].conflicts) = ("no answer", 2)
            state.accounts[0].lists[1].remarks = ["'Tea': its rule cannot be expressed"]
            var work = SyncAccountState()
            (work.name, work.state, work.problem) = ("dav.example.org", .failed, "the password is wrong")
            state.states = [work]
        }
        let result = try services.todoctl("sync")
        #expect(result.status == 1 && result.errors == "")
        #expect(
            result.output.hasSuffix(
                """

                dav.example.org: the password is wrong
                work: not synchronized: no answer
                  To try again:            todoctl sync now dav.example.org
                  To change the password:  todoctl sync password dav.example.org
                home: deletions are held back: 14 of 15 tasks are gone on the server
                  Items:  'Tea', 'Milk' and 12 more
                  To delete these items here, too:  todoctl sync accept home
                  To send them to the server again: todoctl sync restore home
                work: notes on its tasks:
                  'Tea': its rule cannot be expressed
                2 changes have lost against others. To see them:  todoctl sync conflicts

                todod-sync is running.

                """), "\(result.output)")
        let json = try services.todoctl("sync --json")
        #expect(json.status == 1 && json.errors == "")
    }

    @Test func problemOfSeveralListsIsShownOnce() throws {
        let services = try services()
        services.set { state in
            for index in 0...1 { state.accounts[0].lists[index].problem = "the password is wrong" }
            var work = SyncAccountState()
            (work.name, work.state, work.problem) = ("dav.example.org", .failed, "the password is wrong")
            state.states = [work]
        }
        let lines = try services.todoctl("sync").output.split(separator: "\n")
        #expect(lines[4] == "home, work: not synchronized: the password is wrong")
        #expect(lines.count == 8)
    }

    @Test func statusNamesCommandThatStartsProgram() throws {
        let services = try services(hasSync: false)
        let result = try services.todoctl("sync")
        #expect(result.status == 1)
        #expect(
            result.output.hasSuffix(
                """
                todod-sync does not answer, so nothing is synchronized. Start it now and at every login:
                  systemctl --user enable --now todod-sync

                """))
        #expect(try !services.todoctl("sync --json").output.contains("states"))
        services.set { $0.accounts = [] }
        #expect(
            try services.todoctl("sync").output.hasPrefix(
                "No lists are synchronized yet. To add lists of a server:  todoctl sync add ann@example.org"))
    }

    @Test func absentProgramIsNamed() throws {
        let services = try services(hasSync: false)
        let result = try services.todoctl("sync now")
        #expect(result.status == 3)
        #expect(result.errors.hasPrefix("todoctl: todod-sync, which connects to servers, does not answer at"))
        #expect(result.errors.contains("every login:  systemctl --user enable --now todod-sync"))
    }

    // MARK: - Now

    @Test func nowPrintsLineForEachList() throws {
        let services = try services()
        services.set { state in
            state.progress = [
                .sample("home", received: 1, sent: 0), .sample("home", received: 3, sent: 1),
                .sample("work", received: 0, sent: 0), .sample(nil, received: 3, sent: 1),
            ]
        }
        let result = try services.todoctl("sync now")
        #expect(result.status == 0)
        #expect(result.output == "home: 3 received, 1 sent\nwork: nothing new\n")
        #expect(services.calls == ["SyncNow {}"])
        let json = try services.todoctl("sync now dav.example.org --json")
        #expect(json.output == #"{"received":3,"sent":1,"problems":[]}"# + "\n")
        #expect(services.calls[1] == #"SyncNow {"account":"dav.example.org"}"#)
    }

    @Test func problemsOfNowAreErrors() throws {
        let services = try services()
        services.set { state in
            state.progress = [
                .sample("home", received: 3, sent: 1),
                .sample("work", received: 0, sent: 0, problems: ["no answer"]),
                .sample(nil, received: 3, sent: 1, problems: ["no answer"]),
            ]
        }
        let result = try services.todoctl("sync now")
        #expect(result.status == 1)
        #expect(result.output == "home: 3 received, 1 sent\nwork: nothing new\n")
        #expect(result.errors == "todoctl: work: no answer\n")
        let json = try services.todoctl("sync now --json")
        #expect(json.status == 1 && json.errors == "" && json.output.contains(#""problems":["no answer"]"#))
    }

    @Test func nowNamesTheCommandThatChangesARefusedPassword() throws {
        let services = try services()
        let problem = "https://dav.example.org/ refused the user name or the password"
        services.set { $0.progress = [.sample(nil, received: 0, sent: 0, problems: [problem])] }
        let expected = """
            todoctl: \(problem)
            To change the password:  todoctl sync password dav.example.org

            """
        for line in ["sync now", "sync now dav.example.org"] {
            #expect(try services.todoctl(line).errors == expected)
        }
    }

    @Test func passwordIsChanged() throws {
        let services = try services()
        try services.write("secret", to: "secret")
        let result = try services.todoctl("sync password dav.example.org --password-file secret")
        let accepted = "The password of 'dav.example.org' was accepted by the server.\n"
        #expect(result.output == accepted, "\(result)")
        #expect(
            services.calls == [
                #"AddAccount {"name":"dav.example.org","url":"https://dav.example.org/","user":"ann","password":"secret","lists":[]}"#
            ])
        let asked = try services.todoctl("sync password dav.example.org")
        #expect(asked.status == 2 && asked.errors.contains("there is no terminal to ask on"))
    }

    @Test func lastPassIsTheLastSynchronization() throws {
        let services = try services()
        services.set { state in
            var work = SyncAccountState()
            (work.name, work.lastSync) = ("dav.example.org", Timestamp.now - 20)
            state.states = [work]
            state.accounts[0].lists[1].problem = "no answer"
        }
        let lines = try services.todoctl("sync").output.split(separator: "\n")
        #expect(lines[2].contains("20 s ago") && lines[3].contains("2 min ago"), "\(lines)")
    }

    // MARK: - Held deletions

    @Test func heldDeletionsAreAcceptedAfterQuestion() throws {
        let services = try services()
        #expect(
            try services.todoctl("sync accept home").output == "No deletions of 'home' are held back.\n")
        held(services)
        let asked = try services.todoctl("sync accept home")
        #expect(asked.status == 2 && services.calls.isEmpty)
        #expect(
            asked.errors == """
                todoctl: 'sync accept' deletes items, and there is no terminal to ask on: 14 of 15 tasks are gone on the server
                To confirm:  todoctl sync accept home --yes

                """)
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(["sync", "accept", "HOME"], on: terminal)
        try terminal.wait(
            for:
                "home: 14 of 15 tasks are gone on the server\r\nDelete these 14 items here, too: 'Tea', 'Milk' and 12 more? [y/N] "
        )
        try terminal.type("y\n")
        try terminal.wait(for: "Deleted 0 items of 'home' that are gone on the server.")
        process.waitUntilExit()
        #expect(services.calls == [#"UpdateSyncList {"list":1,"acceptDeletions":true}"#])
    }

    /// The server regards the user as another one, and no item is gone.
    @Test func heldDeletionsWithoutAnItemAreAskedForInOtherWords() throws {
        let services = try services()
        services.set { $0.accounts[0].lists[0].heldDeletions = "the server now regards you as bob" }
        #expect(try !services.todoctl("sync").output.contains("Items:"))
        let terminal = try PseudoTerminal(columns: 100)
        let process = try services.start(["sync", "accept", "home"], on: terminal)
        try terminal.wait(
            for: "No item is gone so far. Delete items here again when they are deleted on the server? [y/N] "
        )
        try terminal.type("n\n")
        process.waitUntilExit()
        #expect(services.calls.isEmpty)
    }

    @Test func heldDeletionsAreRestored() throws {
        let services = try services()
        held(services)
        let result = try services.todoctl("sync restore dav.example.org/home")
        #expect(result.output == "todod-sync sends the items of 'home' to the server again.\n")
        #expect(services.calls == [#"UpdateSyncList {"list":1,"acceptDeletions":false}"#])
    }

    @Test func listsOfSameNameNeedAccount() throws {
        let services = try services()
        held(services)
        services.set { $0.accounts.append(.sample("Work", lists: [.sample(3, "Home", category: nil)])) }
        let ambiguous = try services.todoctl("sync restore HOME")
        #expect(
            ambiguous.errors
                == "todoctl: several lists have the name 'HOME'; type one of 'dav.example.org/home', 'Work/Home'\n"
        )
        #expect(try services.todoctl("sync restore dav.example.org/home").status == 0)
        let status = try services.todoctl("sync").output
        #expect(status.contains("todoctl sync accept 'dav.example.org/home'"))
        #expect(status.contains("To end the synchronization:          todoctl sync remove Work --list Home"))
        let unknown = try services.todoctl("sync restore wrok")
        #expect(
            unknown.errors
                == "todoctl: there is no synchronized list 'wrok'; did you mean 'work'?\nTo see all lists:  todoctl sync\n"
        )
    }

    // MARK: - Remove

    @Test func removeNeedsConfirmation() throws {
        let services = try services()
        let asked = try services.todoctl("sync remove dav.example.org")
        #expect(asked.status == 2)
        #expect(asked.errors.hasSuffix("To confirm:  todoctl sync remove dav.example.org --yes\n"))
        let terminal = try PseudoTerminal(columns: 120)
        let process = try services.start(["sync", "remove", "dav.example.org"], on: terminal)
        try terminal.wait(for: "'dav.example.org' (2 lists)? The items stay here and on the server. [y/N] ")
        try terminal.type("n\n")
        try terminal.wait(for: "Nothing was changed.")
        process.waitUntilExit()
        #expect(services.calls.isEmpty)
        let result = try services.todoctl("sync remove dav.example.org --yes")
        #expect(result.output.hasPrefix("The synchronization of 'dav.example.org' has ended. The items stay"))
        #expect(try services.todoctl("sync remove dav.example.org --list Work --yes").status == 0)
        #expect(
            services.calls == [
                #"RemoveAccount {"name":"dav.example.org"}"#,
                #"RemoveAccount {"name":"dav.example.org","list":"https://dav.example.org/ann/work/"}"#,
            ])
        let unknown = try services.todoctl("sync remove dav.exmaple.org --yes")
        #expect(
            unknown.errors.contains("there is no account 'dav.exmaple.org'; did you mean 'dav.example.org'?"))
    }

    // MARK: - All of them

    @Test func shellGetsNamesAndConflicts() throws {
        let services = try services()
        services.addConflicts()
        #expect(
            try services.todoctl("__complete sync accept ''").output
                == "home\tdav.example.org\nwork\tdav.example.org\n")
        #expect(
            try services.todoctl("__complete sync remove d").output
                == "dav.example.org\thttps://dav.example.org/\n")
        #expect(try services.todoctl("__complete sync conflicts clear 3 ''").output == "4\tCall\n")
    }

    @Test func callReachesBothPrograms() throws {
        let services = try services()
        #expect(try services.todoctl("call dev.todod.Sync.GetSyncState").output == "{\"accounts\":[]}\n")
        #expect(try services.todoctl("call ListSyncConflicts").output == "{\"conflicts\":[]}\n")
    }

    /// `sync add` and `sync password` ask without options, and `sync log` needs a journal.
    @Test func examplesOfHelpWork() throws {
        let services = try services()
        services.addConflicts()
        services.set { state in
            state.found = [.sample("home")]
            state.accounts[0].lists[0].category = "House"
        }
        try services.write("secret", to: "secret")
        let commands = Todoctl.commands.filter { $0.verb.hasPrefix("sync ") }
        #expect(commands.count == 11)
        for example in commands.flatMap({ $0.examples })
        where !example.contains("log") && !example.hasSuffix("@example.org")
            && example != "todoctl sync password dav.example.org"
        {
            let result = try services.todoctl(String(example.dropFirst("todoctl ".count)))
            #expect(result.status == 0, "\(example): \(result)")
        }
    }
}
