internal import Platform

/// A line on the terminal that is redrawn to show progress.
///
/// Short tasks show nothing, because a line that disappears immediately is distracting. The line has no
/// colors, so `NO_COLOR` has no effect.
package struct ProgressBar {
    /// The time before the first drawing.
    static let replyTimeoutSeconds = 0.5
    /// The minimum time between two drawings.
    static let intervalSeconds = 0.1
    private static let largestWidth = 40
    private static let smallestWidth = 10

    private let seconds: @Sendable () -> Double
    private let columns: @Sendable () -> Int
    private let write: @Sendable (String) -> Void
    private let begin: Double
    private var lastDrawing = -Double.infinity
    private var shown = ""

    /// Creates a bar on standard error for a task that starts now. Returns `nil` if standard error is not a
    /// terminal that can redraw a line.
    package init?() {
        guard StandardStream.error.isTerminal, let kind = Environment.variable("TERM"), kind != "dumb" else {
            return nil
        }
        self.init(seconds: Self.monotonicSeconds, columns: Self.columns, write: Self.write)
    }

    /// Creates a bar on the terminal to which `write` writes.
    ///
    /// - Parameters:
    ///   - seconds: the time of a monotonic clock.
    ///   - columns: the width of the terminal.
    init(
        seconds: @escaping @Sendable () -> Double, columns: @escaping @Sendable () -> Int,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.seconds = seconds
        self.columns = columns
        self.write = write
        begin = seconds()
    }

    /// Draws the progress of the task, from 0 to 1, and the current activity. Does nothing if it is too early
    /// to draw.
    package mutating func show(_ fraction: Double, _ activity: String) {
        if isTimeToDraw() { draw(Self.line(fraction, activity, columns: columns())) }
    }

    /// Draws the current activity of a task whose length is not known. Does nothing if it is too early to
    /// draw, or if the line is too narrow.
    package mutating func show(_ activity: String) {
        // One column stays free because some terminals wrap a line that fills the last column.
        if isTimeToDraw(), activity.count < columns() { draw(activity) }
    }

    private mutating func isTimeToDraw() -> Bool {
        let now = seconds()
        guard now - begin >= Self.replyTimeoutSeconds, now - lastDrawing >= Self.intervalSeconds else {
            return false
        }
        lastDrawing = now
        return true
    }

    /// Clears the line, so that later output starts at its beginning.
    package mutating func clear() { draw("") }

    private mutating func draw(_ line: String) {
        guard line != shown else { return }
        shown = line
        // Returns to the beginning of the line and clears it.
        write("\r\u{1B}[K\(line)")
    }

    /// Returns a line such as `[########............] 40 % changing the items`. Omits the bar or the text if
    /// there is not enough space, because a wrapped line cannot be redrawn.
    static func line(_ fraction: Double, _ activity: String, columns: Int) -> String {
        let fraction = min(max(fraction, 0), 1)
        let percent = "\(Int(fraction * 100)) %"
        let text = "\(percent) \(activity)"
        // One column stays free because some terminals wrap a line that fills the last column.
        guard text.count < columns else { return percent.count < columns ? percent : "" }
        let width = min(largestWidth, columns - text.count - 4)
        guard width >= smallestWidth else { return text }
        let filled = Int(fraction * Double(width))
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))] \(text)"
    }

    // MARK: - Standard error

    /// The assumed width of a terminal that does not report its width.
    private static let defaultColumns = 80

    @Sendable private static func monotonicSeconds() -> Double {
        Double(SystemClock.monotonicMicroseconds) / 1e6
    }

    @Sendable private static func columns() -> Int {
        StandardStream.error.terminalSize?.columns ?? defaultColumns
    }

    @Sendable private static func write(_ text: String) {
        StandardStream.error.writeOnce(text)
    }
}
