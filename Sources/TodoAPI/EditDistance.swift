/// How near a mistyped word is to the words that exist.
package enum EditDistance {
    /// The word that the least typing errors lead to; nil when none is near.
    package static func nearest(to word: String, among words: [String]) -> String? {
        // Every word begins with an empty one.
        if word.isEmpty { return nil }
        let limit = max(1, word.count / 3)
        let ranked = words.map { (word: $0, distance: distance(word, $0)) }
        return ranked.filter { $0.distance <= limit || $0.word.hasPrefix(word) }.min {
            $0.distance < $1.distance
        }?.word
    }

    /// How many letters must be put in, left out, changed or swapped with their neighbour.
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var rows = [Array(0...right.count)]
        for i in 0..<left.count {
            var row = [i + 1]
            for j in 0..<right.count {
                var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
