import Synchronization
import Testing

@testable import TodoAPI
@testable import TodoClient

/// The progress bars of export and import.
@Suite struct TransferProgressTests {
    /// Records everything that is drawn by a bar with a clock that advances one second each time it is read.
    private final class Terminal: Sendable {
        private let looks = Mutex(0.0)
        private let drawn = Mutex<[String]>([])

        var bar: ProgressBar {
            ProgressBar(
                seconds: {
                    self.looks.withLock { looks in
                        looks += 1
                        return looks
                    }
                }, columns: { 24 }, write: { text in self.drawn.withLock { $0.append(text) } })
        }

        var lines: [String] { drawn.withLock { $0.map { String($0.dropFirst(4)) } } }
    }

    @Test(arguments: [
        (
            Export.Format.json,
            [
                "{\"todod\":1,\"categories\":[\n{\"uid\":1}],\"items\":[", "\n{\"uid\":2},\n{\"uid\":3},",
                "\n{}]}",
            ],
            [25, 75, 100]
        ),
        (
            .icalendar, ["BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n", "BEGIN:VTODO", "BEGIN:VTODO END"],
            [33, 66, 100]
        ),
        (.taskwarrior, ["[\n{},\n{}", ",\n{}\n]\n"], [66, 100]),
        (.todotxt, ["Tea uid:a\nMilk uid:b\n", "Bread uid:c\n"], [66, 100]),
        (.coredata, ["<object type=\"CATEGORY\">", "<object type=\"TODO\" <object type=\"TODO\""], [0, 66]),
    ])
    func exportShowsPercentage(format: Export.Format, chunks: [String], percent: [Int]) {
        let terminal = Terminal()
        var status = Status.Reply()
        (status.items, status.categories) = (3, 1)
        var progress = ExportProgress(of: format, status, terminal.bar)
        for chunk in chunks { progress.pass(chunk) }
        progress.end()
        #expect(terminal.lines == percent.map { "\($0) % exporting" } + [""])
    }

    @Test func progressIsAtMostOneHundredPercent() {
        let terminal = Terminal()
        var progress = ExportProgress(of: .icalendar, .init(), terminal.bar)
        progress.pass("BEGIN:VTODO")
        #expect(terminal.lines == ["100 % exporting"])
    }

    @Test func importShowsItsSteps() {
        let terminal = Terminal()
        var progress = ImportProgress(terminal.bar)
        progress.show()
        progress.pass(.init())
        progress.readingBegins()
        progress.show()
        var reply = Import.Reply()
        reply.items = 8
        for count in [0, 3, 8] as [Int64] {
            (reply.added, reply.unchanged) = (count / 2, count - count / 2)
            progress.pass(reply)
        }
        progress.end()
        #expect(
            terminal.lines == [
                "0 % sending", "0 % reading", "0 % importing", "37 % importing", "100 % saving", "",
            ])
    }
}
