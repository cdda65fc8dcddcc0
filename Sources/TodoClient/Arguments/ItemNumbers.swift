/// Item numbers as the user types them: `3`, `3-7`, `3,5-7`.
struct ItemNumbers {
    private(set) var single: [Int64] = []
    private(set) var ranges: [ClosedRange<Int64>] = []
    /// The words as the user typed them.
    private(set) var words: [String] = []

    var isEmpty: Bool { words.isEmpty }

    /// Adds the numbers in `word`.
    ///
    /// Returns false and adds nothing if it is not a list of numbers and ranges.
    mutating func add(_ word: String) -> Bool {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(Self.range)
        guard !parts.contains(nil) else { return false }
        for range in parts.compactMap({ $0 }) {
            if range.count == 1 { single.append(range.lowerBound) } else { ranges.append(range) }
        }
        words.append(word)
        return true
    }

    /// The last word, or `nil` if it is the only word or not a single number.
    var lastNumber: String? {
        guard words.count > 1, let word = words.last, let number = single.last, word == "\(number)" else {
            return nil
        }
        return word
    }

    /// Removes and returns the last word, or returns `nil` if it is the only word or not a single number.
    mutating func removeLastNumber() -> String? {
        guard let word = lastNumber else { return nil }
        words.removeLast()
        single.removeLast()
        return word
    }

    private static func range(_ text: Substring) -> ClosedRange<Int64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap(number), ends.count <= 2 else { return nil }
        guard ends.count == 2 else { return first...first }
        guard let last = number(ends[1]), first <= last else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
