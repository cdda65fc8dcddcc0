import Testing
import TodoAPI

@testable import TodoClient

@Suite struct RenderingTests {
    @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("❤️", 2), ("", 0)])
    func displayWidthCountsTerminalCells(text: String, width: Int) {
        _ = Todoctl.run(["--version"])
        #expect(text.displayWidth == width)
    }

    @Test func tableFitsTheTerminal() {
        let table = TextTable(
            columns: [.init("ID", alignment: .right), .init("WHEN", dropRank: 1), .init("ITEM")],
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
            table.text(for: .init(columns: 22, hasColour: false)) == """
                ID  ITEM
                 1  short
                10  a name that is mu…
                """)
        #expect(
            table.text(for: .init(columns: nil, hasColour: false)).hasSuffix(
                "10  later  a name that is much too long"))
    }

    @Test func longCellDoesNotRemoveItsColumn() {
        _ = Todoctl.run(["--version"])
        let table = TextTable(
            columns: [.init("ID"), .init("CATEGORY", dropRank: 3, narrowWidths: 8...10), .init("ITEM")],
            rows: [
                .init(cells: ["1", "Home", "a name that is long enough"]),
                .init(cells: ["2", "A very long category", "short"]),
            ])
        #expect(
            table.text(for: .init(columns: 36, hasColour: false)) == """
                ID  CATEGORY    ITEM
                1   Home        a name that is long…
                2   A very lo…  short
                """)
        #expect(
            table.text(for: .init(columns: 52, hasColour: false)).hasSuffix(
                "2   A very long category  short"))
        // The name and the category become narrower before the category column is omitted.
        #expect(
            table.text(for: .init(columns: 26, hasColour: false)) == """
                ID  CATEGORY  ITEM
                1   Home      a name that…
                2   A very …  short
                """)
        #expect(!table.text(for: .init(columns: 25, hasColour: false)).contains("CATEGORY"))
    }

    @Test func lastOptionalColumnUsesFreeRoom() {
        let table = TextTable(
            columns: [.init("ID"), .init("ITEM")],
            rows: [
                .init(cells: ["1", "short"]), .init(cells: ["2", "a longer name"], rest: "ten, for letters"),
            ],
            restTitle: "NOTES")
        #expect(
            table.text(for: .init(columns: 80, hasColour: false)) == """
                ID  ITEM           NOTES
                1   short
                2   a longer name  ten, for letters
                """)
        #expect(
            table.text(for: .init(columns: 31, hasColour: false)) == """
                ID  ITEM           NOTES
                1   short
                2   a longer name  ten, for le…
                """)
        #expect(
            table.text(for: .init(columns: 30, hasColour: false)) == """
                ID  ITEM
                1   short
                2   a longer name
                """)
        #expect(!table.text(for: .init(columns: nil, hasColour: false)).contains("NOTES"))
        #expect(
            table.text(for: .init(columns: 80, hasColour: true)).hasSuffix(
                "2   a longer name\u{1B}[2m  ten, for letters\u{1B}[0m"))
    }

    @Test func colourIsUsedOnlyIfEnabled() {
        let table = TextTable(columns: [.init("ITEM")], rows: [.init(cells: ["x"], style: .urgent)])
        for columns in [20, nil] {
            let text = table.text(for: .init(columns: columns, hasColour: true))
            #expect(text.contains("\u{1B}[1;31mx\u{1B}[0m"))
        }
        #expect(!table.text(for: .init(columns: 20, hasColour: false)).contains("\u{1B}"))
        #expect(!table.text(for: .init(columns: nil, hasColour: false)).contains("\u{1B}"))
    }

    @Test(arguments: [
        ("Home", "Home"), ("My home", "'My home'"), ("it's", "'it'\\''s'"), ("", "''"), ("/a b", "'/a b'"),
    ])
    func wordIsQuotedForTheShell(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }

    @Test func operandThatLooksLikeOptionFollowsDashes() {
        #expect(ShellWord.command("a", operands: ["x y"], options: ["--yes"]) == "a 'x y' --yes")
        #expect(ShellWord.command("a", operands: ["x", "-y"], options: ["--yes"]) == "a --yes -- x -y")
    }
}
