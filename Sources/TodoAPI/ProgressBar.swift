internal import Glibc

/// One line at the end of a terminal that is drawn again and again, and tells how far a work has come.
///
/// Work that is soon done shows nothing: a line that comes and goes at once is noise. It has no colours, so `NO_COLOR`
/// asks nothing of it.
package struct ProgressBar {
    /// For so long nothing is drawn.
    static let patienceSeconds = 0.5
    /// The least time between two drawings.
    static let intervalSeconds = 0.1
    private static let largestWidth = 40
    private static let smallestWidth = 10

    private let seconds: @Sendable () -> Double
    private let columns: @Sendable () -> Int
    private let write: @Sendable (String) -> Void
    private let begin: Double
    private var lastDrawing = -Double.infinity
    private var shown = ""

    /// A bar on standard error for work that begins now; nil where that is no terminal, or one that cannot draw over what
    /// it shows.
    package init?() {
        guard isatty(STDERR_FILENO) == 1, let kind = getenv("TERM"), String(cString: kind) != "dumb" else {
            return nil
        }
        self.init(seconds: Self.monotonicSeconds, columns: Self.columns, write: Self.write)
    }

    /// A bar on the terminal that `write` writes to.
    ///
    /// - Parameters:
    ///   - seconds: a clock that does not jump.
    ///   - columns: how wide the terminal is.
    init(
        seconds: @escaping @Sendable () -> Double, columns: @escaping @Sendable () -> Int,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.seconds = seconds
        self.columns = columns
        self.write = write
        begin = seconds()
    }

    /// Draws how far the work has come, from 0 to 1, and what is done just now; unless it is not time to draw.
    package mutating func show(_ fraction: Double, _ activity: String) {
        let now = seconds()
        guard now - begin >= Self.patienceSeconds, now - lastDrawing >= Self.intervalSeconds else { return }
        lastDrawing = now
        draw(Self.line(fraction, activity, columns: columns()))
    }

    /// Wipes the line; what is printed after it stands where it was.
    package mutating func clear() { draw("") }

    private mutating func draw(_ line: String) {
        guard line != shown else { return }
        shown = line
        // Back to the beginning of the line, and clear what stood there.
        write("\r\u{1B}[K\(line)")
    }

    /// `[########............] 40 % changing the items`, without the bar or the words where there is no room: a
    /// line that is broken could not be drawn over.
    static func line(_ fraction: Double, _ activity: String, columns: Int) -> String {
        let fraction = min(max(fraction, 0), 1)
        let percent = "\(Int(fraction * 100)) %"
        let text = "\(percent) \(activity)"
        // One column stays free, because some terminals break a line that fills the last one.
        guard text.count < columns else { return percent.count < columns ? percent : "" }
        let width = min(largestWidth, columns - text.count - 4)
        guard width >= smallestWidth else { return text }
        let filled = Int(fraction * Double(width))
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))] \(text)"
    }

    // MARK: - Standard error

    /// What a terminal has that does not say how wide it is.
    private static let customaryColumns = 80

    @Sendable private static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Sendable private static func columns() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return customaryColumns
        }
        return Int(size.ws_col)
    }

    @Sendable private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
