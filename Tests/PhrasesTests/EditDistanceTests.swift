import Phrases
import Testing

/// The suggestions for mistyped words, and the work that they take.
@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("lst", "list"), ("ilst", "list"), ("lists", "list"), ("expotr", "export"), ("ca", "category"),
        ("Eróica", "Eroica"),
    ])
    func nearestWordIsFound(word: String, expected: String) {
        #expect(
            EditDistance.nearest(to: word, among: ["list", "export", "category", "Eroica"]) == expected)
    }

    @Test(arguments: ["", "xyz", "listlist", "expo port"])
    func distantWordHasNoSuggestion(word: String) {
        #expect(EditDistance.nearest(to: word, among: ["list", "category"]) == nil)
    }

    @Test func firstOfSeveralNearestWordsIsSuggested() {
        #expect(EditDistance.nearest(to: "cat", among: ["cut", "cot", "bat"]) == "cut")
        #expect(EditDistance.nearest(to: "cat", among: ["cats", "cat", "cut"]) == "cat")
    }

    /// Compares with the definition of the distance, for every pair of short words of two letters.
    @Test func distanceAgreesWithItsDefinition() {
        var words = [""]
        for _ in 0..<5 { words += words.flatMap { [$0 + "a", $0 + "b"] } }
        let all = Array(Set(words)).sorted().filter { !$0.isEmpty && $0.count <= 5 }
        for word in all {
            let limit = max(1, word.count / 3)
            for other in all where !other.hasPrefix(word) {
                let isNear = Self.distance(Array(word)[...], Array(other)[...]) <= limit
                #expect(
                    (EditDistance.nearest(to: word, among: [other]) != nil) == isNear, "\(word) \(other)")
            }
        }
    }

    private static func distance(_ left: ArraySlice<Character>, _ right: ArraySlice<Character>) -> Int {
        guard let first = left.first, let other = right.first else { return left.count + right.count }
        if first == other { return distance(left.dropFirst(), right.dropFirst()) }
        var best = min(
            distance(left.dropFirst(), right), distance(left, right.dropFirst()),
            distance(left.dropFirst(), right.dropFirst()))
        if left.prefix(2).elementsEqual(right.prefix(2).reversed()), left.count > 1, right.count > 1 {
            best = min(best, distance(left.dropFirst(2), right.dropFirst(2)))
        }
        return best + 1
    }

    /// R3: An unknown name of any length takes a bounded number of comparisons, and a long one takes none.
    @Test func workIsBounded() {
        let categories = (0..<20).map { String(repeating: "c", count: 250) + "\($0)" }
        var comparisons = 0
        let long = String(repeating: "c", count: 900_000)
        #expect(EditDistance.nearest(to: long, among: categories, comparisons: &comparisons) == nil)
        #expect(comparisons == 0)
        let typed = String(repeating: "c", count: 249) + "x"
        #expect(EditDistance.nearest(to: typed, among: categories, comparisons: &comparisons) != nil)
        #expect(comparisons > 0)
        // Many long names end the search instead of prolonging it.
        let many = (0..<10_000).map { "\($0)" + String(repeating: "ab", count: 125) }
        let unlike = String(repeating: "ba", count: 127)
        comparisons = 0
        _ = EditDistance.nearest(to: unlike, among: many, comparisons: &comparisons)
        let oneWord = EditDistance.wordBytesLimit * EditDistance.wordBytesLimit
        #expect(comparisons <= EditDistance.comparisonsLimit + oneWord)
    }

    /// R3: Words that are much shorter or longer are not compared at all.
    @Test func wordOfAnotherLengthIsNotCompared() {
        var comparisons = 0
        #expect(
            EditDistance.nearest(to: "exprot", among: ["a", "categories"], comparisons: &comparisons) == nil)
        #expect(comparisons == 0)
    }
}
