import Testing
import TodoAPI

@testable import TodoClient

@Suite struct ArgumentsTests {
    @Test func optionsStandAnywhereUpToTheDoubleDash() throws {
        var arguments = Arguments(
            ["Pay", "--due", "9am", "the", "--category=Home", "rent", "--", "--now"], verb: "add")
        #expect(try arguments.value("--due") == "9am")
        #expect(try arguments.value("--category") == "Home")
        #expect(try arguments.rest() == ["Pay", "the", "rent", "--now"])
    }

    @Test(arguments: [["--due"], ["x", "--wrong"], ["-x"]]) func wrongOptionsAreUsageErrors(words: [String]) {
        #expect(throws: ClientError.self) {
            var arguments = Arguments(words, verb: "add")
            _ = try arguments.value("--due")
            _ = try arguments.rest()
        }
    }

    @Test(arguments: [[], ["x"], ["0"], ["-1"], ["1", "2x"], ["99999999999999999999"]]) func idsThatAreNone(
        words: [String]
    ) {
        #expect(throws: ClientError.self) {
            var arguments = Arguments(words, verb: "done")
            _ = try arguments.itemIDs()
        }
    }
}

@Suite struct RenderingTests {
    @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("❤️", 2), ("", 0)])
    func widths(text: String, width: Int) {
        _ = Todoctl.run(["--version"])
        #expect(text.displayWidth == width)
    }

    @Test func aTableFitsTheTerminal() {
        let table = TextTable(
            columns: [.init("ID", alignment: .right), .init("WHEN", isDispensable: true), .init("ITEM")],
            rows: [
                .init(cells: ["1", "soon", "short"]),
                .init(cells: ["10", "later", "a name that is much too long"]),
            ])
        #expect(
            table.text(for: .init(columns: 31, hasColour: false)) == """
                ID  WHEN   ITEM
                 1  soon   short
                10  later  a name that is much…
                """)
        #expect(
            table.text(for: .init(columns: 24, hasColour: false)) == """
                ID  ITEM
                 1  short
                10  a name that is much…
                """)
        #expect(table.text(for: nil).hasSuffix("10  later  a name that is much too long"))
    }

    @Test func colourIsOnlyForTerminalsThatWantIt() {
        let table = TextTable(columns: [.init("ITEM")], rows: [.init(cells: ["x"], style: .urgent)])
        #expect(table.text(for: .init(columns: 20, hasColour: true)).contains("\u{1B}[1;31mx\u{1B}[0m"))
        #expect(!table.text(for: .init(columns: 20, hasColour: false)).contains("\u{1B}"))
        #expect(!table.text(for: nil).contains("\u{1B}"))
    }

    @Test(arguments: [("lst", "list"), ("dnoe", "done"), ("stat", "status"), ("frobnicate", nil)])
    func aMistypedVerbIsRecognised(word: String, verb: String?) {
        #expect(EditDistance.nearest(to: word, among: Todoctl.commands.map { $0.verb }) == verb)
    }

    @Test(arguments: [("Home", "Home"), ("My home", "'My home'"), ("it's", "'it'\\''s'"), ("", "''")])
    func aWordIsQuotedForTheShell(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }
}
