internal import Platform

/// A moment in time, in seconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Date attributes of the store have this type. It is a plain number, so comparing two values costs as much as
/// comparing two doubles. Near the present, its precision is a quarter of a microsecond.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z, negative before that moment.
    public var secondsSince1970: Double

    /// Creates a moment.
    ///
    /// - Parameter secondsSince1970: The seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Double) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The last whole second that is not after the moment, between -10^12 and 10^12.
    package var wholeSeconds: Int {
        // With the arguments in this order, a value that is not a number becomes the bound.
        let seconds = Int(min(1e12, max(-1e12, secondsSince1970)))
        return Double(seconds) > secondsSince1970 ? seconds - 1 : seconds
    }

    /// Whether the first moment is before the second.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// The moment that is so many seconds later.
    public static func + (moment: Timestamp, seconds: Double) -> Timestamp {
        Timestamp(secondsSince1970: moment.secondsSince1970 + seconds)
    }

    /// The moment that is so many seconds earlier.
    public static func - (moment: Timestamp, seconds: Double) -> Timestamp {
        Timestamp(secondsSince1970: moment.secondsSince1970 - seconds)
    }

    /// The seconds from `earlier` to `later`, negative if `later` is before `earlier`.
    public static func - (later: Timestamp, earlier: Timestamp) -> Double {
        later.secondsSince1970 - earlier.secondsSince1970
    }

    /// The current time of the system's clock, plus the offset that a test may have set.
    public static var now: Timestamp {
        Timestamp(secondsSince1970: SystemClock.secondsSince1970)
    }
}
