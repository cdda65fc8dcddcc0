import Foundation
import TestSupport
import Testing
import TodoAPI

@testable import TodoClient

/// The manual pages contain the declarations of the programs. `TODOD_WRITE_DOCS=1 swift test --filter ManualTests`
/// writes them. The tests run one after another, because several write to one page.
@Suite(.serialized) struct ManualTests {
    private func check(_ page: String, _ name: String, _ wanted: String) throws {
        let page = ManualPage(page)
        let part = try #require(try page.part(name), "\(page.url.lastPathComponent) has no part \(name)")
        if ProcessInfo.processInfo.environment["TODOD_WRITE_DOCS"] != nil {
            try "\(part.before)\(wanted)\n\(part.after)".write(
                to: page.url, atomically: true, encoding: .utf8)
        } else {
            #expect(part.body == wanted + "\n", "\(page.url.lastPathComponent): \(name)")
        }
    }

    // MARK: - todoctl(1)

    @Test func pageOfTodoctlHasItsCommandsAndOptions() throws {
        try check("todoctl.1", "OPTIONS", options(GlobalOptions.declared.options))
        try check("todoctl.1", "COMMANDS", Todoctl.commands.map(section).joined(separator: "\n"))
        let fields = try FieldLister.fields(of: Item()).map { String($0.prefix { $0 != ":" }) }
        let last = fields.count - 1
        let list = fields.enumerated().map { index, field in
            "\(index == last ? "and\n" : "").Ql \(field) \(index == last ? "." : ",")"
        }
        try check("todoctl.1", "FIELDS", list.joined(separator: "\n"))
    }

    private func section(_ command: any Command.Type) -> String {
        let declared = command.declared
        let usage = (["todoctl", command.verb] + declared.operands.map(\.usage)).joined(separator: " ")
        var lines = [".Ss \(usage)\(declared.options.isEmpty ? "" : " [OPTION]...")", command.summary + "."]
        if !declared.options.isEmpty { lines.append(options(declared.options)) }
        if !command.details.isEmpty { lines += [".Pp", Roff.prose(command.details)] }
        if !command.aliases.isEmpty {
            lines += [".Pp", "Alias: \(command.aliases.joined(separator: ", "))."]
        }
        lines += [".Bd -literal -offset indent"] + command.examples.map { "$ " + Roff.literal($0) } + [".Ed"]
        return lines.joined(separator: "\n")
    }

    private func options(_ options: [Option]) -> String {
        let entries = options.map { option in
            let names = option.names.map { "Fl \($0.dropFirst())" }.joined(separator: " , ")
            let value = option.placeholder.map { " Ar \($0)" } ?? ""
            return ".It \(names)\(value)\n\(Roff.prose(option.help))"
        }
        return ([".Bl -tag -width Ds"] + entries + [".El"]).joined(separator: "\n")
    }

    /// D5: The page shows the times that the tests read.
    @Test func pageOfTodoctlShowsTimes() throws {
        let sections = try PhraseTable().sections.map { section in
            let rows = section.rows.filter(\.isInManual).map { row in
                ".It \(Roff.literal(row.phrase)) Ta \(Roff.literal(row.reading ?? row.error ?? ""))"
            }
            let widths = "\"tomorrow Tue 24 Nov 09:00, in 24 h\" \"Tue 24 Nov 2026 09:00\""
            return
                ([".Ss \(section.title)", Roff.proseWithLiterals(section.text), ".Bl -column \(widths)"]
                + rows + [".El"]).joined(separator: "\n")
        }
        try check("todoctl.1", "PHRASES", sections.joined(separator: "\n"))
    }

    /// D5: `docs/dates.md` shows the times that the tests read.
    @Test func datesPageShowsEveryPhrase() throws {
        let page = ManualPage.repository.appending(path: "docs/dates.md")
        let wanted = try Self.datesPage()
        if ProcessInfo.processInfo.environment["TODOD_WRITE_DOCS"] != nil {
            try wanted.write(to: page, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: page, encoding: .utf8) == wanted)
        }
    }

    private static func datesPage() throws -> String {
        var parts = [
            """
            # Times as you type them

            This page lists the times that `todoctl add --due`, `edit --due`, `snooze`, `quiet` and the filters
            read, and the reading of each on \(PhraseTable.nowInWords) in Berlin. Programs that use the socket
            can send the same texts.

            Every word must be understood: a text with an unknown word, with a day that does not exist or with
            several readings is refused. A time in the past is refused too, unless `--past` is given. Capital
            letters, commas and spaces make no difference, and neither do `by`, `due` and `until` at the beginning.
            If half of all people would mean another day, as with `next friday`, the answer names the day that was
            used, and the text for the other one.

            The tests read every phrase of this page. `Tests/PhrasesTests/phrases.txt` is its source.
            """
        ]
        for section in try PhraseTable().sections {
            let head = section.rows.allSatisfy { $0.error != nil } ? "error" : "reading"
            let rows = section.rows.map { row in
                "| `\(row.phrase)` | \(row.reading ?? row.error ?? "")\(row.note.map { "; note: \($0)" } ?? "") |"
            }
            parts.append(
                (["## \(section.title)", "", section.text, "", "| typed | \(head) |", "| --- | --- |"] + rows)
                    .joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    // MARK: - todod.conf(5)

    @Test func pageOfConfigurationHasEverySetting() throws {
        let file = ManualPage.repository.appending(path: "config/todod.conf")
        var lines: [String] = []
        var comment: [Substring] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.isEmpty {
                comment = []
            } else if line.hasPrefix("[") {
                if !lines.isEmpty { lines.append(".El") }
                lines += [".Sh SECTION \(line)", ".Bl -tag -width Ds"]
            } else if lines.isEmpty {
                // The page has its own text instead of the comment at the start of the file.
                continue
            } else if line.hasPrefix("# ") {
                comment.append(line.dropFirst(2))
            } else {
                let parts = line.dropFirst().split(separator: "=", maxSplits: 1)
                let value = parts.count == 2 ? "\(parts[1])" : "nothing"
                lines.append(
                    ".It Va \(parts[0])= , No by default Ql \(value)".replacing("Ql nothing", with: "nothing")
                )
                lines.append(Roff.prose(comment.joined(separator: " ")))
            }
        }
        try check("todod.conf.5", "SETTINGS", (lines + [".El"]).joined(separator: "\n"))
    }

    // MARK: - todod-protocol(7)

    @Test(arguments: ["INTERFACE", "SYNC"])
    func pageOfProtocolContainsInterface(part: String) throws {
        let interface = part == "SYNC" ? SyncInterface.description : TodoInterface.description
        let lines = interface.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.flatMap(narrow).map { Roff.literal($0) }.joined(separator: "\n")
        try check("todod-protocol.7", part, ".Bd -literal\n\(text)\n.Ed")
    }

    /// Returns the lines of a comment, broken to fit a page.
    private func narrow(_ line: Substring) -> [String] {
        guard line.count > 72 else { return [String(line)] }
        let indent = line.prefix { $0 == " " }
        let mark = line.dropFirst(indent.count).hasPrefix("# ") ? "# " : "  "
        let words = line.dropFirst(indent.count + (mark == "# " ? 2 : 0)).split(separator: " ")
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= 72 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(indent + (lines.isEmpty && mark != "# " ? "" : mark) + word)
            }
        }
        return lines
    }

    // MARK: - All pages

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")),
        arguments: ManualPage.all.map(\.url))
    func groffPrintsNoWarnings(page: URL) throws {
        #expect(try run("/usr/bin/groff", ["-ww", "-mandoc", "-Tutf8", "-z", page.path]) == "")
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")),
        arguments: ManualPage.all.map(\.url))
    func mandocPrintsNoWarnings(page: URL) throws {
        let output = try run("/usr/bin/mandoc", ["-T", "lint", "-W", "warning", page.path])
        #expect(output == "")
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
