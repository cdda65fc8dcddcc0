internal import Glibc
internal import Synchronization

/// The seconds by which the clock of a program differs from the system's, so that a test can choose the date.
///
/// It is 0 unless a program calls `readEnvironment()`, so it has no effect on other users of the library.
package enum ClockOffset {
    /// A value of the environment variable that is not a number of seconds.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    private static let variable = "TODOD_CLOCK_OFFSET"
    /// Dates stay within the calendar.
    private static let limit = 1e11
    private static let bits = Atomic<UInt64>(0)

    package static var seconds: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Takes the offset from `TODOD_CLOCK_OFFSET`. A program calls it once, before it reads the clock.
    package static func readEnvironment() throws(Invalid) {
        guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else { return }
        guard let seconds = Double(text), abs(seconds) <= limit else {
            throw Invalid(
                description:
                    "\(variable) is '\(text.prefix(80))', but has to be a number of seconds, such as -3600")
        }
        bits.store(seconds.bitPattern, ordering: .relaxed)
    }
}
