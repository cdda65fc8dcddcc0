/// Numbers as words: `three`, `twenty-five`.
package enum NumberWords {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh",
        "twelfth",
    ]

    /// The number at the front of `words`, and how many words it takes.
    package static func number(_ words: ArraySlice<Substring>) -> (value: Int, wordCount: Int)? {
        guard let word = words.first else { return nil }
        if word.isDigits(1...5) { return Int(word).map { ($0, 1) } }
        if let index = small.firstIndex(of: String(word)) { return (index, 1) }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard let ten = tens.firstIndex(of: String(parts[0])) else { return nil }
        let value = (ten + 2) * 10
        if parts.count == 1 {
            guard let one = words.dropFirst().first.flatMap({ small.firstIndex(of: String($0)) }),
                (1...9).contains(one)
            else { return (value, 1) }
            return (value + one, 2)
        }
        guard parts.count == 2, let one = small.firstIndex(of: String(parts[1])), (1...9).contains(one) else {
            return nil
        }
        return (value + one, 1)
    }

    /// `first` is 1, `2nd` is 2, `last` is -1.
    static func position(_ word: Substring) -> Int? {
        if word == "last" { return -1 }
        return ordinals.firstIndex(of: String(word)).map { $0 + 1 } ?? ordinal(word)
    }

    /// `24th`, `1st`.
    static func ordinal(_ word: Substring) -> Int? {
        let digits = word.prefix(while: \.isASCIIDigit)
        guard (1...2).contains(digits.count), ["st", "nd", "rd", "th"].contains(word[digits.endIndex...])
        else { return nil }
        return Int(digits)
    }

    static let all = small + tens + ordinals
}
