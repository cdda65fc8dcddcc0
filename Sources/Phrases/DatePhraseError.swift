internal import CivilTime

/// The reason why a text is not a time.
package struct DatePhraseError: Error, Equatable, CustomStringConvertible {
    /// The reason without general advice.
    package let cause: String
    /// General advice, which a more specific suggestion can replace.
    package let advice: String?
    /// The texts that were probably meant: the nearest one, or all readings of an ambiguous text.
    package let similar: [String]
    /// Whether the text, or a part of it, consists of words that no time has.
    ///
    /// Otherwise it names a day or a time that does not exist, or has several readings.
    package let isOfOtherWords: Bool
    /// Whether the whole text has several readings, all of which are in `similar`.
    let isAmbiguous: Bool

    package init(
        reason cause: String, advice: String? = nil, similar: [String] = [], isOfOtherWords: Bool = false
    ) {
        self.init(
            cause: cause, advice: advice, similar: similar, isOfOtherWords: isOfOtherWords, isAmbiguous: false
        )
    }

    private init(
        cause: String, advice: String?, similar: [String], isOfOtherWords: Bool, isAmbiguous: Bool
    ) {
        self.cause = cause
        self.advice = advice
        self.similar = similar
        self.isOfOtherWords = isOfOtherWords
        self.isAmbiguous = isAmbiguous
    }

    package var reason: String { advice.map { "\(cause); \($0)" } ?? cause }

    /// Returns the error for a text with several readings.
    ///
    /// - Parameter readings: the text of each reading, as it can be typed.
    static func ambiguous(_ readings: [String]) -> DatePhraseError {
        DatePhraseError(
            cause: "it has two readings", advice: nil, similar: readings, isOfOtherWords: false,
            isAmbiguous: true)
    }

    /// Returns the error for a time that the clocks skip when they go forward.
    static func skipped(_ civil: CivilDateTime) -> DatePhraseError {
        DatePhraseError(
            reason: "\(civil.clock) does not exist on \(civil.date.words), because the clocks go forward")
    }

    static let outOfRange = DatePhraseError(reason: "it is outside the years 1 to 9999")

    /// Whether two errors read the same.
    package static func == (left: DatePhraseError, right: DatePhraseError) -> Bool {
        left.reason == right.reason && left.similar == right.similar
            && left.isOfOtherWords == right.isOfOtherWords
    }

    package var description: String {
        guard let last = similar.last else { return reason }
        let others = similar.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "\(reason); did you mean \(others.isEmpty ? "" : "\(others) or ")'\(last)'?"
    }
}

extension CivilDateTime {
    /// The time with two digits each, and with the seconds if there are any: `02:30`.
    var clock: String {
        let pad = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return "\(pad(hour)):\(pad(minute))" + (second == 0 ? "" : ":\(pad(second))")
    }
}
