/// Finds what somebody may have meant.
enum NearestName {
    /// The name with the fewest changes from `word`, if those are few for its length.
    static func of(_ word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars)
        // A longer word is no slip of the fingers, and would only cost time.
        guard letters.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(letters, Array(name.lowercased().unicodeScalars))
            guard distance <= max(1, (letters.count + 1) / 3) else { continue }
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How many scalars have to be put in, taken out or replaced to turn one into the other.
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
