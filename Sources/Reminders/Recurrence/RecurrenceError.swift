internal import Phrases

/// The reason why a text is not a valid recurrence rule.
package struct RecurrenceError: Error, Equatable, CustomStringConvertible {
    private let cause: String
    /// General advice, which the texts that were probably meant replace.
    private let advice: String?
    /// The texts that were probably meant. They are not read yet, and are no part of the description.
    let similar: [String]

    package init(reason cause: String, advice: String? = nil, similar: [String] = []) {
        self.cause = cause
        self.advice = advice
        self.similar = similar
    }

    /// Creates an error for a time within a rule.
    ///
    /// - Parameters:
    ///   - place: the beginning of the reason, which names the place of the time in the rule.
    ///   - words: the words of the rule before the time.
    init(_ error: DatePhraseError, in place: String = "", after words: [String]) {
        self.init(
            reason: place + error.cause, advice: error.advice,
            similar: error.similar.map { (words + [$0]).joined(separator: " ") })
    }

    package var reason: String { advice.map { "\(cause); \($0)" } ?? cause }

    /// The error with those of the texts that `isUnderstood` accepts as its advice.
    func suggesting(_ texts: [String], isUnderstood: (String) -> Bool) -> RecurrenceError {
        let texts = texts.filter(isUnderstood)
        if texts.isEmpty { return RecurrenceError(reason: cause, advice: advice) }
        return RecurrenceError(
            reason: cause, advice: "did you mean \(texts.map { "'\($0)'" }.joined(separator: " or "))?")
    }

    /// Whether two errors read the same.
    package static func == (left: RecurrenceError, right: RecurrenceError) -> Bool {
        left.reason == right.reason && left.similar == right.similar
    }

    package var description: String { reason }
}
