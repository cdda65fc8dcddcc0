internal import Glibc
internal import ObjectStore
internal import Synchronization

/// One line on the terminal that is drawn again and again.
final class ProgressBar: Sendable {
    private static let largestWidth = 40
    private static let smallestWidth = 10
    /// What a terminal has that does not say how wide it is.
    private static let customaryColumns = 80

    private let shown = Mutex("")

    func show(_ progress: MigrationProgress) {
        draw(Self.line(for: progress, columns: Self.columns))
    }

    func clear() { draw("") }

    /// `[########............] 40 % changing the items`, without the bar or the words where there is no room: a
    /// line that is broken could not be drawn over.
    static func line(for progress: MigrationProgress, columns: Int) -> String {
        let percent = "\(Int(progress.fraction * 100)) %"
        let text = "\(percent) \(progress.activity.phrase)"
        // One column stays free, because some terminals break a line that fills the last one.
        guard text.count < columns else { return percent }
        let width = min(largestWidth, columns - text.count - 4)
        guard width >= smallestWidth else { return text }
        let filled = Int(progress.fraction * Double(width))
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))] \(text)"
    }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return customaryColumns
        }
        return Int(size.ws_col)
    }

    private func draw(_ line: String) {
        shown.withLock { last in
            guard line != last else { return }
            last = line
            // Back to the beginning of the line, and clear what stood there.
            let bytes = Array("\r\u{1b}[K\(line)".utf8)
            _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }
}
