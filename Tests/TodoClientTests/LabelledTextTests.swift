import Testing

@testable import TodoClient

@Suite struct LabelledTextTests {
    /// Sets the locale, which determines the width of characters.
    init() { _ = Todoctl.run(["--version"]) }

    private func text(_ text: String, columns: Int?) -> String {
        LabelledText(entries: [("Notes", text)]).text(for: .init(columns: columns, hasColour: false))
    }

    @Test(arguments: [
        ("By transfer, and keep the receipt", ["By transfer, and", "keep the receipt"]),
        ("sixteen letters. more", ["sixteen letters.", "more"]),
        ("https://example.org/long/path and more", ["https://example.", "org/long/path", "and more"]),
        ("書類を提出する、そして", ["書類を提出する、", "そして"]),
        ("one\n\n  two", ["one", "", "  two"]),
        ("  indented, and then more", ["  indented, and", "then more"]),
        ("                  x", ["                ", "x"]), ("", [""]),
    ])
    func brokenLinesAreIndentedUnderTheValue(notes: String, lines: [String]) {
        let indent = String(repeating: " ", count: 15)
        let wanted = lines.enumerated().map { index, line in
            index == 0 ? "Notes:         \(line)" : line.isEmpty ? "" : indent + line
        }
        #expect(text(notes, columns: 31) == wanted.joined(separator: "\n"))
    }

    @Test func textIsNotBrokenInPipeOrNarrowTerminal() {
        let notes = String(repeating: "word ", count: 40)
        #expect(text(notes, columns: nil) == "Notes:         \(notes)")
        #expect(text(notes, columns: 30) == "Notes:         \(notes)")
    }

    /// A character that is wider than the terminal needs a line, too.
    @Test func everyLineTakesAtLeastOneCharacter() {
        #expect("書類"[...].broken(to: 1) == ["書類"])
        #expect("a書"[...].broken(to: 1) == ["a", "書"])
    }

    @Test func longTextIsBrokenFast() {
        let notes = String(repeating: "word ", count: 50_000)
        #expect(text(notes, columns: 31).split(separator: "\n").count == 16_667)
    }
}
