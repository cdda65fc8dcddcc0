/// The meaning of an hour in a text.
package enum HourMeaning: Sendable {
    /// A time of day.
    case time
    case length
    /// A time of day or a length, so that the text is ambiguous.
    case either

    /// Returns the hour of the day that a number alone means.
    ///
    /// From 1 to 6, this is an hour of the afternoon.
    static func hour(of number: Int) -> Int { (1...6).contains(number) ? number + 12 : number }
}
