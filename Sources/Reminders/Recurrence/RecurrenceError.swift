/// The reason why a text is not a valid recurrence rule.
package struct RecurrenceError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    /// The texts that were probably meant. They are not read yet, and are no part of the description.
    var similar: [String] = []

    package init(reason: String) {
        self.reason = reason
    }

    init(reason: String, similar: [String]) {
        self.reason = reason
        self.similar = similar
    }

    /// The error with those of the texts that `isUnderstood` accepts in its reason.
    ///
    /// The reason then ends at its first semicolon, because the texts replace the general advice after it.
    func suggesting(_ texts: [String], isUnderstood: (String) -> Bool) -> RecurrenceError {
        let texts = texts.filter(isUnderstood)
        guard !texts.isEmpty else { return RecurrenceError(reason: reason) }
        let cause = reason.split(separator: "; ", maxSplits: 1)[0]
        return RecurrenceError(
            reason: "\(cause); did you mean \(texts.map { "'\($0)'" }.joined(separator: " or "))?")
    }

    package var description: String { reason }
}
