/// A search for the known word that is nearest to a mistyped one.
package enum EditDistance {
    /// The most bytes of a word that gets a suggestion.
    ///
    /// A longer word is not a typing error, and comparing it would only take time.
    package static let wordBytesLimit = 1_020
    /// The most pairs of letters that are compared for one suggestion, which takes about 10 ms.
    ///
    /// The words after that are not considered.
    package static let comparisonsLimit = 2_000_000

    /// Returns the word that needs the fewest typing errors to become `word`, or `nil` if none is near.
    package static func nearest(to word: String, among words: [String]) -> String? {
        var comparisons = 0
        return nearest(to: word, among: words, comparisons: &comparisons)
    }

    /// Returns the nearest word, and adds the number of compared pairs of letters to `comparisons`.
    package static func nearest(
        to word: String, among words: [String], comparisons: inout Int
    ) -> String? {
        // Every word begins with the empty word, so it has no nearest one.
        if word.isEmpty || word.utf8.count > wordBytesLimit { return nil }
        let letters = Array(word)
        let errorsLimit = max(1, letters.count / 3)
        var nearest: (word: String, distance: Int)?
        for candidate in words where candidate.utf8.count <= wordBytesLimit {
            let other = Array(candidate)
            let missing = other.count - letters.count
            var found: Int?
            if other.starts(with: letters) {
                found = missing
            } else {
                // Only a word nearer than the nearest so far matters.
                let limit = min(errorsLimit, nearest.map { $0.distance - 1 } ?? errorsLimit)
                guard abs(missing) <= limit, comparisons < comparisonsLimit else { continue }
                found = distance(letters, other, limit: limit, comparisons: &comparisons)
            }
            if let found, found < nearest?.distance ?? .max { nearest = (candidate, found) }
        }
        return nearest?.word
    }

    /// Returns the number of letters that must be inserted, removed, replaced or swapped with their neighbour, or `nil`
    /// if it exceeds `limit`.
    private static func distance(
        _ left: [Character], _ right: [Character], limit: Int, comparisons: inout Int
    ) -> Int? {
        let far = limit + 1
        // The distances between the beginnings of both words, for the two previous rows.
        var earlier: [Int] = []
        var previous = (0...right.count).map { min($0, far) }
        for i in left.indices {
            var row = Array(repeating: far, count: right.count + 1)
            row[0] = min(i + 1, far)
            for j in right.indices {
                var best = min(
                    row[j] + 1, previous[j + 1] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, earlier[j - 1] + 1)
                }
                row[j + 1] = min(best, far)
            }
            comparisons += right.count
            if row.min() == far { return nil }
            (earlier, previous) = (previous, row)
        }
        let distance = previous[right.count]
        return distance <= limit ? distance : nil
    }
}
