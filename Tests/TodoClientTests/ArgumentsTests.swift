import Testing
import TodoAPI

@testable import TodoClient

/// A command with every kind of argument.
private struct Example: Command {
    static let verb = "example"
    static let summary = "Be an example"
    static let examples = ["todoctl example 3"]

    var id: Int64 = 0
    var text: [String] = []
    var all = false
    var due: String?
    var limit: Int64?
    var colour: ColourUse?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.item("ID", &id, state: .open)
        try arguments.words("[TEXT]...", &text)
        arguments.flag("-a, --all", &all, help: "everything")
        arguments.option("-d, --due WHEN", &due, help: "when")
        try arguments.option("-n, --limit NUMBER", &limit, help: "how many")
        try arguments.option("--when WHEN", &colour, help: "auto, always or never")
    }

    func run(_ session: Session) {}
}

/// A command with a list option.
private struct ListExample: Command {
    static let verb = "example"
    static let summary = "Be an example"
    static let examples = ["todoctl example --sort due"]

    var order: String?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        arguments.option("--sort KEYS", &order, help: "the order", kind: .list(["due"]))
    }

    func run(_ session: Session) {}
}

private func read(_ words: [String]) throws -> Example {
    var arguments = try Arguments(words, verb: Example.verb, declared: Example.declared)
    var example = Example()
    try example.code(&arguments)
    try arguments.finish()
    return example
}

@Suite struct ArgumentsTests {
    @Test(arguments: [
        ["-a", "--due", "9am", "--limit", "5", "3", "x", "y"], ["3", "x", "y", "--all", "--due=9am", "-n5"],
        ["3", "-an", "5", "x", "-d9am", "y"], ["-aan5", "-d", "9am", "--", "3", "x", "y"],
    ])
    func optionsAreReadAtAnyPositionAndInAnySpelling(words: [String]) throws {
        let example = try read(words)
        #expect(example.id == 3)
        #expect(example.text == ["x", "y"])
        #expect(example.all && example.due == "9am" && example.limit == 5)
    }

    @Test(arguments: [["--due", "9am", "-d8am"], ["--due=9am", "--du", "9am"], ["-d9am", "--due", ""]])
    func repeatedOptionIsRefused(words: [String]) throws {
        let error = try #require(throws: ClientError.self) { try read(["3"] + words) }
        #expect(error.message.hasPrefix("todoctl: '--due' is given twice"), "\(error.message)")
    }

    @Test func repeatedListsAreJoined() throws {
        var arguments = try Arguments(
            ["--sort", "due,-name", "--sort=id"], verb: ListExample.verb, declared: ListExample.declared)
        var example = ListExample()
        try example.code(&arguments)
        #expect(example.order == "due,-name,id")
    }

    /// A9: A long option can be abbreviated if no other option has the same beginning.
    @Test(arguments: [["3", "--al"], ["3", "--a"], ["--all", "3"]])
    func abbreviatedOptionIsAccepted(words: [String]) throws {
        #expect(try read(words).all)
        #expect(try read(["3", "--du=9am", "--lim", "5"]).due == "9am")
    }

    /// A9: The error for an ambiguous abbreviation names all matching options.
    @Test func ambiguousAbbreviationNamesCandidates() throws {
        for (words, names) in [
            (["--due", "x"], "'--due' is ambiguous: '--due-before', '--due-after'"),
            (["--due-=x"], "'--due-' is ambiguous: '--due-before', '--due-after'"),
            (["--co"], "'--co' is ambiguous: '--color', '--count'"),
        ] {
            let error = try #require(throws: ClientError.self) {
                try Arguments(words, verb: ListItemsCommand.verb, declared: ListItemsCommand.declared)
            }
            #expect(error.exitStatus == 2 && error.message.contains(names), "\(error.message)")
        }
    }

    /// A9: Names of commands in other programs are aliases.
    @Test(arguments: [("ls", "list"), ("rm", "delete"), ("new", "add")])
    func aliasIsCommand(word: String, verb: String) throws {
        let found = try Verb(in: [word, "x"])
        #expect(found.command.verb == verb && found.wordCount == 1)
        #expect(found.help().contains("Alias: \(word)."))
    }

    @Test func wordsAfterDoubleDashAreText() throws {
        #expect(try read(["3", "--", "--all", "-x", "--"]).text == ["--all", "-x", "--"])
        #expect(try read(["3", "-"]).text == ["-"])
        #expect(try read(["3", "--due=", "x"]).due == "")
        #expect(try read(["3", "--due", "--all"]).due == "--all")
    }

    @Test(arguments: [
        (["3", "--alll"], "has no option '--alll'", "Did you mean '--all'?"),
        (["3", "--deu", "x"], "has no option '--deu'", "Did you mean '--due'?"),
        (["3", "--jsn"], "has no option '--jsn'", "Did you mean '--json'?"),
        (["3", "-ax"], "has no option '-x'", ""),
        (["3", "--due"], "--due needs a value: -d, --due WHEN", ""),
        (["3", "-d"], "--due needs a value", ""), (["3", "--all=yes"], "--all takes no value", ""),
        (["3", "-n", "x"], "--limit takes a number, not 'x'", ""), (["3", "-n-1"], "not '-1'", ""),
        (["3", "--when", "maybe"], "--when takes one of auto, always, never, not 'maybe'", ""),
        ([], "needs the number of an item", ""), (["3..5"], "'3..5' is not the number of an item", ""),
        (["0"], "'0' is not the number", ""), (["99999999999999999999"], "is not the number", ""),
    ])
    func wrongArgumentsAreExplained(words: [String], message: String, suggestion: String) throws {
        let error = try #require(throws: ClientError.self) { try read(words) }
        #expect(error.exitStatus == 2)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.message.contains(suggestion), "\(error.message)")
        #expect(error.message.contains("Type 'todoctl example --help'"))
    }

    @Test(arguments: [
        ([], "due", 0), (["add", "x"], "add", 1), (["category"], "category list", 1),
        (["category", "--json"], "category list", 1),
        (["category", "rename", "a", "b"], "category rename", 2),
    ])
    func commandHasOneWordOrTwo(words: [String], verb: String, count: Int) throws {
        let found = try Verb(in: words)
        #expect(found.command.verb == verb)
        #expect(found.wordCount == count)
    }

    @Test(arguments: [
        (["lst"], "todoctl list"), (["dnoe"], "todoctl done"), (["stat"], "todoctl status"),
        (["category", "renme"], "todoctl category rename"),
        (["category", "rm", "x"], "todoctl category delete"),
    ])
    func mistypedCommandIsRecognised(words: [String], suggestion: String) throws {
        let error = try #require(throws: ClientError.self) { try Verb(in: words) }
        #expect(error.message.contains("Did you mean '\(suggestion)'?"), "\(error.message)")
    }

    @Test(arguments: [
        ("restore", "todod --restore FILE"), ("stop", "systemctl --user stop todod.socket todod.service"),
    ])
    func commandOfAnotherProgramIsNamed(word: String, command: String) throws {
        let error = try #require(throws: ClientError.self) { try Verb(in: [word, "x"]) }
        #expect(
            error.message.contains("there is no command '\(word)'\nThat is '\(command)'."), "\(error.message)"
        )
        #expect(
            try #require(throws: ClientError.self) { try Verb(in: ["category", word]) }.message.contains(
                "That is") == false)
    }

    @Test(arguments: [["frobnicate"], [""], ["category", ""]])
    func unknownCommandHasNoSuggestion(words: [String]) throws {
        let error = try #require(throws: ClientError.self) { try Verb(in: words) }
        #expect(!error.message.contains("Did you mean"))
    }
}

@Suite struct HelpTests {
    private func help(_ columns: Int?) -> Help { Help(for: .init(columns: columns, hasColour: false)) }

    @Test func helpListsDeclaredArguments() {
        #expect(
            help(nil).text(for: Example.self) == """
                Usage: todoctl example ID [TEXT]... [OPTION]...

                Be an example.

                  -a, --all           everything
                  -d, --due WHEN      when
                  -n, --limit NUMBER  how many
                      --when WHEN     auto, always or never

                Example: todoctl example 3
                """)
    }

    @Test func narrowHelpShowsTextBelowOptions() {
        #expect(
            help(30).text(for: Example.self) == """
                Usage: todoctl example ID
                    [TEXT]... [OPTION]...

                Be an example.

                  -a, --all
                        everything
                  -d, --due WHEN
                        when
                  -n, --limit NUMBER
                        how many
                      --when WHEN
                        auto, always or never

                Example: todoctl example 3
                """)
    }

    /// Examples to copy may be longer, because a terminal breaks them without inserting line feeds.
    @Test(arguments: [nil, 80, 60, 40]) func allHelpFits(columns: Int?) {
        let help = help(columns)
        let texts =
            [help.overview, help.text(forGroup: "category", [ListCategoriesCommand.self])]
            + Todoctl.commands.map { help.text(for: $0) }
        for line in texts.flatMap({ $0.split(separator: "\n") }) where !line.contains("todoctl ") {
            #expect(line.count <= columns ?? 80, "\(line)")
        }
        // A very wide terminal has the same lines as one of 80 columns.
        #expect(self.help(200).overview == self.help(80).overview)
    }

    @Test func everyCommandHasHelpAndExample() {
        for command in Todoctl.commands {
            #expect(!command.examples.isEmpty, "\(command.verb)")
            for example in command.examples {
                #expect(example.contains("todoctl \(command.verb)"), "\(example)")
            }
            #expect(!command.summary.hasSuffix(".") && command.summary.count <= 53, "\(command.summary)")
            for option in command.declared.options {
                #expect(!option.help.isEmpty && !option.help.hasSuffix("."), "\(option.usage)")
            }
        }
    }

    @Test func noOptionIsDeclaredTwice() {
        for command in Todoctl.commands {
            let names = (GlobalOptions.declared.options + command.declared.options).flatMap(\.names)
            #expect(Set(names).count == names.count, "\(command.verb): \(names)")
        }
    }

    @Test func commandsAreNamedAfterTheirMethods() {
        let names = Todoctl.commands.map { String("\($0)".dropLast("Command".count)) }
        let methods = CallCommand.methods
        let others = names.filter {
            !methods.contains($0) && !methods.contains("\(SyncInterface.name).\($0)")
        }
        // These change one detail with `MuteItems`, `UpdateCategory`, `UpdateTag`, `UpdateView`, `UpdateSyncList`,
        // `AddAccount` or `ResolveSyncConflict`, list items in one way, or have no method of their own.
        let details = [
            "UnmuteItems", "RenameCategory", "MuteCategory", "UnmuteCategory", "RenameTag", "RenameView",
            "ShowView",
            "Today", "Next", "AcceptDeletions", "RestoreDeletions", "ClearSyncConflicts", "ChangePassword",
        ]
        #expect(Set(others) == Set(details + ["Alerts", "Call", "Completion", "Help", "SyncLog"]))
    }
}
