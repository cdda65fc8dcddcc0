extension PhraseWords {
    /// The words of time phrases, except numbers in digits.
    private static let vocabulary: [String] =
        [
            "today", "tomorrow", "tonight", "yesterday", "now", "next", "last", "this", "coming", "weekend",
            "weekday",
            "workday", "working", "business", "week", "month", "quarter", "year", "day", "days", "weeks",
            "months",
            "years", "hour", "hours", "minute", "minutes", "second", "seconds", "fortnight", "noon", "midday",
            "midnight",
            "teatime", "morning", "afternoon", "evening", "night", "half", "past", "oclock", "end",
            "beginning",
            "start", "middle", "after", "before", "from", "until", "christmas", "boxing", "halloween",
            "valentines",
            "easter", "pentecost", "ascension", "same", "time", "couple", "overmorrow",
        ] + weekdayNames + monthNames + NumberWords.all

    /// The texts that were probably meant, with each mistyped word replaced by the nearest known one.
    var corrections: [String] {
        if all.count == 1, let word = all.first, word.isDigits(9...11) { return ["@\(word)"] }
        let known = Set(Self.vocabulary).union(Self.dayAndMonthNames).union([
            "the", "soon", "later", "few", "some", "sometime", "asap", "never",
        ])
        var isChanged = false
        let corrected = all.map { word in
            guard word.count >= 3, word.allSatisfy(\.isLetter), !known.contains(String(word)),
                let nearest = EditDistance.nearest(to: String(word), among: Self.vocabulary)
            else { return String(word) }
            isChanged = true
            return nearest
        }
        return isChanged ? [corrected.joined(separator: " ")] : []
    }
}
