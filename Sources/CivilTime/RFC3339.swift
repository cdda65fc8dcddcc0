/// Moments as the API writes them: `2026-11-21T09:00:00+01:00`.
package enum RFC3339 {
    /// The text for `moment` on the clock of `zone`, or `nil` outside the years 1 to 9999 of UTC, which the format cannot write.
    ///
    /// A fraction is written to the microsecond and only if there is one. A time whose year in the zone is outside 1 to 9999 is
    /// written in UTC.
    ///
    /// - Parameter isExact: whether the fraction has as many digits as it takes to read the same moment again.
    package static func text(
        _ moment: Timestamp, in zone: TimeZoneRules = .utc, isExact: Bool = false
    ) -> String? {
        var isWritten = true
        // A list has several moments an item, so the text is made in one piece.
        let text = String(unsafeUninitializedCapacity: mostBytes) { buffer in
            let count = write(moment, in: zone, isExact: isExact, to: buffer)
            isWritten = count != nil
            return count ?? 0
        }
        return isWritten ? text : nil
    }

    /// `2026-11-21T09:00:00.123456789012345+01:00`, and two bytes that are written and do not count.
    package static var mostBytes: Int { 43 }

    /// Puts the bytes of the text into `buffer`, which has room for `mostBytes`, and returns how many they are.
    package static func write(
        _ moment: Timestamp, in zone: TimeZoneRules, isExact: Bool = false,
        to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var clock = Clock(zone)
        return clock.write(moment, isExact: isExact, to: buffer)
    }
}
