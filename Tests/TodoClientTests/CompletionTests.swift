import Testing
import TodoAPI

@testable import TodoClient

private struct Shelf: CompletionSource {
    func items(_ state: ListItems.State) -> [Completion.Candidate] {
        let open = [
            Completion.Candidate(word: "3", description: "Pay"), .init(word: "35", description: "Call"),
        ]
        switch state {
        case .open: return open
        case .waiting: return []
        case .completed: return [.init(word: "2", description: "Old")]
        case .all: return open + [.init(word: "2", description: "Old")]
        }
    }

    func categories() -> [Completion.Candidate] {
        [.init(word: "Home", description: "1 open"), .init(word: "My garden", description: "0 open")]
    }
}

extension Shelf {
    func views() -> [Completion.Candidate] { [.init(word: "work", description: "--tag office")] }

    func syncAccounts() -> [Completion.Candidate] {
        [.init(word: "dav.example.org", description: "https://dav.example.org/ann/")]
    }

    func syncLists() -> [Completion.Candidate] {
        [.init(word: "home", description: "dav.example.org"), .init(word: "Work/tasks", description: "Work")]
    }

    func conflicts() -> [Completion.Candidate] {
        [.init(word: "3", description: "Pay"), .init(word: "4", description: "Call")]
    }

    func tags() -> [Completion.Candidate] {
        [.init(word: "errand", description: "2 open"), .init(word: "post", description: "0 open")]
    }
}

@Suite struct CompletionTests {
    private func words(_ words: [String]) -> [String]? {
        switch Completion(source: Shelf()).answer(to: words) {
        case .candidates(let candidates): candidates.map(\.word)
        case .files: nil
        }
    }

    @Test(arguments: [
        (["view", ""], ["save", "rename", "delete", "work"]), (["view", "delete", "w"], ["work"]),
        (["view", "rename", "work", ""], []), (["ad"], ["add"]), (["categ"], ["category"]),
        (["category", "re"], ["rename"]), (["frob"], []),
        (["--json", "qui"], ["quiet"]), (["--socket", "/s", "qui"], ["quiet"]),
        (["done", ""], ["3", "35"]), (["done", "35", ""], ["3"]), (["reopen", ""], ["2"]),
        (["show", ""], ["3", "35", "2"]), (["show", "3", ""], ["35", "2"]),
        (["edit", "3", ""], ["35", "2"]),
        (["snooze", ""], ["3", "35"]), (["snooze", "3", ""], ["35", "off"]), (["snooze", "3", "o"], ["off"]),
        (["quiet", ""], ["off"]), (["list", "--sort", "pr"], ["priority"]),
        (["list", "--sort", "due,-n"], ["due,-name", "due,-notes", "due,-nextAlert"]),
        (["list", "--sort=-nam"], ["-name"]), (["list", "-p", "low,n"], ["low,none"]),
        (["add", "--du"], ["--due"]), (["add", "--", "--du"], []),
        (["add", "-c", ""], ["Home", "My garden"]),
        (["add", "-pc", "h"], []), (["add", "--category", "=", "h"], ["Home"]),
        (["add", "x", "--category=h"], ["Home"]),
        (["add", "--category", "="], ["Home", "My garden"]), (["add", "-c", "\"My g"], ["My garden"]),
        (["add", "-c", "My\\ g"], ["My garden"]), (["add", ""], []), (["add", "--notes", ""], []),
        (["--color", "a"], ["auto", "always"]), (["list", "--color=n"], ["never"]),
        (["export", "-f", "i"], ["icalendar"]),
        (["completion", ""], ["bash", "fish", "zsh"]), (["call", "AddC"], ["AddCategory"]),
        (["status", ""], []), (["ls", "--prio", "h"], ["high"]), (["ls", "--prio=h"], ["high"]),
        (["rm", "3", ""], ["35", "2"]), (["tag", "re"], ["rename"]), (["tag", "delete", "e"], ["errand"]),
        (["add", "x", "--tag", ""], ["errand", "post"]), (["edit", "3", "--untag=p"], ["post"]),
        (["list", "-t", "errand,P"], ["errand,post"]),
        (
            ["sync", ""],
            ["status", "add", "now", "password", "conflicts", "accept", "restore", "remove", "log"]
        ),
        (["sync", "conf"], ["conflicts"]), (["sync", "conflicts", ""], ["restore", "clear"]),
        (["sync", "conflicts", "restore", ""], ["3", "4"]), (["sync", "conflicts", "clear", "3", ""], ["4"]),
        (["sync", "now", ""], ["dav.example.org"]), (["sync", "remove", "d"], ["dav.example.org"]),
        (["sync", "accept", ""], ["home", "Work/tasks"]), (["sync", "restore", "w"], ["Work/tasks"]),
        (["sync", "remove", "x", "--list", "h"], ["home"]), (["sync", "add", "x", "-c", "h"], ["Home"]),
        (["sync", "add", "x", "--password-source", "k"], ["keyring"]),
        (["sync", "log", "--fo"], ["--follow"]),
    ])
    func completionsFollowTheTypedWords(typed: [String], candidates: [String]) {
        #expect(words(typed) == candidates)
    }

    @Test(arguments: [["import", ""], ["backup", "x"], ["--socket", ""], ["list", "--socket=/"]])
    func shellCompletesFiles(typed: [String]) {
        #expect(words(typed) == nil)
    }

    @Test func everyCommandIsOffered() {
        let first = Set(Todoctl.commands.map { String($0.verb.prefix { $0 != " " }) })
        #expect(Set(words([""]) ?? []) == first)
        #expect(words([""])?.count == first.count)
    }
}
