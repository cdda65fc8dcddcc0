/// The name of a tag, as people type it.
package enum TagName {
    /// Returns the name without the spaces around it and `+` or `#` before it, which lists of items show.
    package static func plain(_ text: some StringProtocol) -> String {
        var name = text.drop { $0.isWhitespace || $0 == "+" || $0 == "#" }[...]
        while name.last?.isWhitespace == true { name = name.dropLast() }
        return String(name)
    }
}
