/// Numbers of items as they are typed: `3`, `3-7`, `3,5-7`.
struct ItemNumbers {
    private(set) var single: [Int64] = []
    private(set) var ranges: [ClosedRange<Int64>] = []
    /// The words as they were typed.
    private(set) var words: [String] = []

    var isEmpty: Bool { words.isEmpty }

    /// Adds those of a word; false, and nothing is added, when it is none.
    mutating func add(_ word: String) -> Bool {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(Self.range)
        guard !parts.contains(nil) else { return false }
        for range in parts.compactMap({ $0 }) {
            if range.count == 1 { single.append(range.lowerBound) } else { ranges.append(range) }
        }
        words.append(word)
        return true
    }

    /// The last word if it is one number and not the only word.
    var lastNumber: String? {
        guard words.count > 1, let word = words.last, let number = single.last, word == "\(number)" else {
            return nil
        }
        return word
    }

    /// Takes the last word away again if it is one number and not the only word.
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
