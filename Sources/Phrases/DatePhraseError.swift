internal import CivilTime

/// The reason why a text names no time.
package struct DatePhraseError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    /// Texts that were probably meant: the nearest one, or each reading of a text that has several.
    package let similar: [String]
    /// Whether the text, or a part of it, is not made of the words of a time. If not, it names a day or a time that does not
    /// exist, or has several readings.
    package let isOfOtherWords: Bool

    package init(reason: String, similar: [String] = [], isOfOtherWords: Bool = false) {
        self.reason = reason
        self.similar = similar
        self.isOfOtherWords = isOfOtherWords
    }

    /// A text that can be read in several ways, each of which is in `readings` as it has to be typed.
    static func ambiguous(_ readings: [String]) -> DatePhraseError {
        DatePhraseError(reason: ambiguity, similar: readings)
    }

    /// A time that the clocks leave out when they are set forward.
    static func skipped(_ civil: CivilDateTime) -> DatePhraseError {
        DatePhraseError(
            reason: "\(civil.clock) does not exist on \(civil.date.words), because the clocks go forward")
    }

    static let ambiguity = "it has two readings"
    static let outOfRange = DatePhraseError(reason: "that is outside the years 1 to 9999")

    package var description: String {
        guard let last = similar.last else { return reason }
        let others = similar.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "\(reason); did you mean \(others.isEmpty ? "" : "\(others) or ")'\(last)'?"
    }
}

extension CivilDateTime {
    /// `02:30`, with the seconds if there are any.
    var clock: String {
        let pad = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return "\(pad(hour)):\(pad(minute))" + (second == 0 ? "" : ":\(pad(second))")
    }
}
