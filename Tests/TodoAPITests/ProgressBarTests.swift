import Synchronization
import Testing

@testable import TodoAPI

@Suite struct ProgressBarTests {
    /// A terminal, and a clock that does not advance until it is set.
    private final class Terminal: Sendable {
        let time = Mutex(100.0)
        let columns = Mutex(60)
        let drawn = Mutex<[String]>([])

        var bar: ProgressBar {
            ProgressBar(
                seconds: { self.time.withLock { $0 } }, columns: { self.columns.withLock { $0 } },
                write: { text in self.drawn.withLock { $0.append(text) } })
        }

        func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

        var lines: [String] { drawn.withLock { $0 } }
    }

    @Test(arguments: [
        (80, "[################........................] 40 % changing the items"),
        (60, "[#############....................] 40 % changing the items"),
        (36, "40 % changing the items"), (23, "40 %"), (5, "40 %"), (4, ""), (0, ""),
    ])
    func lineFitsTerminal(columns: Int, line: String) {
        #expect(ProgressBar.line(0.4, "changing the items", columns: columns) == line)
        #expect(line.count < max(columns, 1))
    }

    @Test func fractionIsClamped() {
        #expect(ProgressBar.line(1.7, "x", columns: 21) == "[##########] 100 % x")
        #expect(ProgressBar.line(-1, "x", columns: 21) == "[............] 0 % x")
    }

    @Test func shortWorkShowsNothing() {
        let terminal = Terminal()
        var bar = terminal.bar
        bar.show(0, "working")
        terminal.wait(ProgressBar.replyTimeoutSeconds * 0.9)
        bar.show(0.9, "working")
        bar.clear()
        #expect(terminal.lines.isEmpty)
    }

    @Test func barIsRedrawnAndCleared() {
        let terminal = Terminal()
        terminal.columns.withLock { $0 = 20 }
        var bar = terminal.bar
        terminal.wait(1)
        bar.show(0.1, "working")
        // Too soon after the last one.
        bar.show(0.2, "working")
        terminal.wait(ProgressBar.intervalSeconds)
        bar.show(0.3, "working")
        terminal.wait(1)
        // The text is the same, so nothing is written.
        bar.show(0.301, "working")
        bar.clear()
        bar.clear()
        #expect(terminal.lines == ["\r\u{1B}[K10 % working", "\r\u{1B}[K30 % working", "\r\u{1B}[K"])
    }

    @Test func activityOfUnknownLengthIsShown() {
        let terminal = Terminal()
        terminal.columns.withLock { $0 = 20 }
        var bar = terminal.bar
        bar.show("too early")
        terminal.wait(1)
        bar.show("synchronizing home")
        terminal.wait(1)
        bar.show("a text of 20 columns")
        bar.clear()
        #expect(terminal.lines == ["\r\u{1B}[Ksynchronizing home", "\r\u{1B}[K"])
    }

    @Test func lineFitsTerminalThatBecomesNarrower() {
        let terminal = Terminal()
        var bar = terminal.bar
        terminal.wait(1)
        bar.show(0.5, "working")
        terminal.wait(1)
        terminal.columns.withLock { $0 = 12 }
        bar.show(0.6, "working")
        #expect(terminal.lines.map { $0.dropFirst(4).count } == [55, 4])
    }
}
