/// The name of a tag, as people type it.
package enum TagName {
    /// Returns the name without the spaces around it and `+` or `#` before it, which lists of items show.
    package static func plain(_ text: some StringProtocol) -> String {
        String(text.drop { $0.isWhitespace || $0 == "+" || $0 == "#" }.trimmed)
    }

    /// Returns the names in a list, each once: `errand, post office` or `+errand +post`.
    ///
    /// - Parameter known: names that are not divided where a word in them begins with `+`.
    package static func list(_ text: String, known: [String] = []) -> [String] {
        var names: [String] = []
        for part in text.split(separator: ",") {
            let whole = plain(part)
            let isOne = known.contains(whole) || !part.drop(while: \.isWhitespace).hasPrefix("+")
            let parts = isOne ? [whole] : whole.split(separator: " +").map { plain($0) }
            for name in parts where !name.isEmpty {
                if !names.contains(where: { $0.lowercased() == name.lowercased() }) { names.append(name) }
            }
        }
        return names
    }
}
