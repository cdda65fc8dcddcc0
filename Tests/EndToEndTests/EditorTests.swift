import Foundation
import Testing

/// `todoctl edit ID` with an editor.
@Suite struct EditorTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("add", "Pay the rent", "--due", "in 3 days", "--notes", "by transfer").status
                == 0)
        return sandbox
    }

    /// Edits item 1 on a terminal with a `sed` script as the editor, and returns the output.
    private func edit(_ sandbox: Sandbox, _ program: String, typing input: String = "") throws
        -> Sandbox.Result
    {
        try sandbox.terminal("EDITOR=\"sed --in-place '\(program)'\" todoctl edit 1", typing: input)
    }

    @Test func editedTextIsSaved() throws {
        let sandbox = try filled()
        let result = try edit(sandbox, "s/the rent/the gas bill/; s/^Priority:.*/Priority: 2/")
        #expect(result.status == 0 && result.output.contains("Changed 1  Pay the gas bill  ("), "\(result)")
        let shown = try sandbox.todoctl("show", "1").output
        #expect(shown.contains("Pay the gas bill") && shown.contains("2 (1 is the highest"))
        #expect(shown.contains("by transfer"))
        #expect(try edit(sandbox, "").output == "Nothing was changed.\r\n")
        #expect(try sandbox.shell("ls $TMPDIR").output.isEmpty)
    }

    @Test func refusedTextIsKeptForAnotherTry() throws {
        let sandbox = try filled()
        // The first try is wrong and the second corrects it. The file contains the text written before, and the error.
        let program = "/was refused/,+9s/Due:.*/Due: in 5 days/; t; s/Due:.*/Due: when pigs fly/"
        let result = try edit(sandbox, program, typing: "\n")
        #expect(result.output.contains("cannot read the due time 'when pigs fly'"), "\(result)")
        #expect(result.output.contains("Return to the editor? [Y/n] "))
        #expect(result.status == 0 && result.output.contains("Changed 1  Pay the rent  ("))

        let given = try edit(sandbox, "s/the rent/the gas bill/; s/Due:.*/Due: when pigs fly/", typing: "n\n")
        #expect(given.status == 1)
        let path = try #require(given.output.split(separator: "Your text is in ").last)
        let kept = try sandbox.shell("cat \(path.split(whereSeparator: \.isWhitespace)[0])").output
        #expect(kept.hasPrefix("# This was refused:\n# todoctl: cannot read the due time"), "\(kept)")
        #expect(kept.contains("Pay the gas bill"))
        #expect(try sandbox.todoctl("show", "1").output.contains("Pay the rent"))
    }

    @Test func failedEditorChangesNothing() throws {
        let sandbox = try filled()
        let result = try sandbox.todoctl("edit", "1", environment: ["EDITOR": "false"])
        #expect(
            result.status == 1 && result.errors.contains("the editor 'false' failed; nothing was changed"))
        let none = try sandbox.todoctl("edit", "1")
        #expect(none.status == 2 && none.errors.contains("set EDITOR"))
    }
}
