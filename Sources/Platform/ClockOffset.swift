internal import Synchronization

/// The number of seconds between the program's clock and the system's, so that a test can choose the date.
///
/// It is 0 unless a program calls `readEnvironment()`, so it has no effect on other users of the library.
package enum ClockOffset {
    /// A value of the environment variable that is not a number of seconds.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    private static let variable = "TODOD_CLOCK_OFFSET"
    /// The maximum offset, so that dates remain within the calendar.
    private static let limit = 1e11
    private static let bits = Atomic<UInt64>(0)

    package static var seconds: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Reads the offset from `TODOD_CLOCK_OFFSET`.
    ///
    /// A program calls this once, before it reads the clock.
    ///
    /// - Throws: `Invalid` if the value is not a number of seconds or is too large.
    package static func readEnvironment() throws(Invalid) {
        guard let text = Environment.variable(variable), !text.isEmpty else { return }
        guard let seconds = Double(text), abs(seconds) <= limit else {
            throw Invalid(
                description:
                    "\(variable) is '\(text.prefix(80))', but has to be a number of seconds, such as -3600")
        }
        bits.store(seconds.bitPattern, ordering: .relaxed)
    }
}
