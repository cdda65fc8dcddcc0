/// A search for the known name that is most similar to a mistyped word.
enum NearestName {
    /// The maximum number of bytes of a word or name. A longer one is not a typing error and takes time to compare.
    private static let bytesLimit = 256

    /// Returns the name with the fewest changes from `word`, or `nil` if every name needs too many for its length.
    static func of(_ word: String, among names: [String]) -> String? {
        guard word.utf8.count <= bytesLimit else { return nil }
        let letters = Array(word.lowercased().unicodeScalars)
        let limit = max(1, (letters.count + 1) / 3)
        var best: (name: String, distance: Int)?
        for name in names where name.utf8.count <= bytesLimit {
            let other = Array(name.lowercased().unicodeScalars)
            guard abs(other.count - letters.count) <= limit else { continue }
            let distance = distance(letters, other)
            guard distance <= limit else { continue }
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Returns the number of scalars to insert, delete or replace to turn one text into the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (line, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == scalar ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
