internal import CivilTime

extension DatePhrase {
    /// Returns the reading on which all suggestions for a refused text agree.
    ///
    /// - Throws: the error with the suggestions that are understood, if they disagree or there is only one.
    func onlyReading(of text: String, after error: DatePhraseError) throws(DatePhraseError) -> Reading {
        var words = PhraseWords(text)
        words.takeLeadIn()
        let lengths = error.isAmbiguous ? nil : words.lengthsInOrder
        var candidates = error.similar
        if let lengths {
            candidates = [lengths]
            if (try? reading(lengths)) == nil {
                // `1h` and `30m` are lengths in any case, and `8h` can be a time.
                candidates = words.words.compactMap { LetteredHours($0) }.filter { $0.meaning() != .length }
                    .map(\.time)
            }
        } else if candidates.isEmpty {
            candidates = PhraseWords(text).corrections
        }
        let found = candidates.compactMap { candidate in
            (try? reading(candidate)).map { (text: candidate, reading: $0) }
        }.filter { isPossible($0.reading.moment) }
        var cause = lengths == nil ? error.cause : DurationPhrase.orderOfParts
        if error.isAmbiguous, found.count < candidates.count {
            cause = "\(found.isEmpty ? "each" : "one") of its two readings is in the past or does not exist"
        } else if error.isAmbiguous, let first = found.first,
            found.allSatisfy({ $0.reading.moment == first.reading.moment })
        {
            return first.reading
        }
        throw DatePhraseError(
            reason: cause, advice: lengths == nil ? error.advice : nil, similar: found.map(\.text),
            isOfOtherWords: error.isOfOtherWords)
    }

    /// Whether a time can be typed where it is used: a due time and the end of a pause are not in the past.
    private func isPossible(_ moment: Timestamp) -> Bool {
        switch purpose {
        case .due, .snooze: moment >= now - now.secondsSince1970.truncatingRemainder(dividingBy: 60)
        case .filter, .past: true
        }
    }
}
