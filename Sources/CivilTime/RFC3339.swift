/// The format in which the API writes moments: `2026-11-21T09:00:00+01:00`.
package enum RFC3339 {
    /// Returns the text for `moment` on the clock of `zone`, or `nil` if its year in UTC is outside 1 to 9999.
    ///
    /// A fraction is rounded to microseconds and omitted if it is 0. If the year in the zone is outside 1 to 9999, the
    /// text is in UTC.
    ///
    /// - Parameter isExact: whether the fraction has as many digits as are needed to read the same moment again.
    package static func text(
        _ moment: Timestamp, in zone: TimeZoneRules = .utc, isExact: Bool = false
    ) -> String? {
        var isWritten = true
        // Create the text in one step, because a list has several moments per item.
        let text = String(unsafeUninitializedCapacity: mostBytes) { buffer in
            let count = write(moment, in: zone, isExact: isExact, to: buffer)
            isWritten = count != nil
            return count ?? 0
        }
        return isWritten ? text : nil
    }

    /// The size of `2026-11-21T09:00:00.123456789012345+01:00`, and of two more bytes that are written but are not part
    /// of the text.
    package static var mostBytes: Int { 43 }

    /// Writes the bytes of the text into `buffer`, and returns their number, or `nil` if the year is outside 1 to 9999.
    ///
    /// - Parameter buffer: a buffer with room for `mostBytes`.
    package static func write(
        _ moment: Timestamp, in zone: TimeZoneRules, isExact: Bool = false,
        to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var clock = Clock(zone)
        return clock.write(moment, isExact: isExact, to: buffer)
    }
}
