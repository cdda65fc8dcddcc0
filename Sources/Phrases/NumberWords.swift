/// Numbers in words: `three`, `twenty-five`.
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

    /// Returns the number at the beginning of `words` and how many words it has, or `nil` if there is none.
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

    /// Returns the position that a word names: 1 for `first`, 2 for `2nd` and -1 for `last`.
    static func position(_ word: Substring) -> Int? {
        if word == "last" { return -1 }
        return ordinals.firstIndex(of: String(word)).map { $0 + 1 } ?? ordinal(word)
    }

    /// Reads an ordinal in digits, such as `24th` or `1st`.
    static func ordinal(_ word: Substring) -> Int? {
        let digits = word.prefix(while: \.isASCIIDigit)
        guard (1...2).contains(digits.count), ["st", "nd", "rd", "th"].contains(word[digits.endIndex...])
        else { return nil }
        return Int(digits)
    }

    static let all = small + tens + ordinals
}
