extension ICalendarReader {
    /// Sets the category and the tags from CATEGORIES.
    ///
    /// The category is the first one that an export of todod does not call a tag. All others are tags.
    mutating func takeCategories(
        of task: ICalendarTask, _ part: ICalendarPart, into item: inout ExchangeItem
    ) {
        var names = part.categories
        if use == .list { return item.setTags(ofOtherProgram: names, &tagRemarks, line: part.line) }
        var tags: [String] = []
        for tag in Self.tags(in: task.own("X-TODOD-TAGS") ?? "") ?? [] {
            // A tag can have the name of the category, which precedes the tags.
            guard let index = names.lastIndex(where: { ICalendarExactText.matches(tag, $0) }) else {
                continue
            }
            tags.append(tag)
            names.remove(at: index)
        }
        let exact = task.exact("X-TODOD-CATEGORIES", beside: names.first)
        item.category = exact ?? names.first
        item.isCategoryGuessed = item.category != nil && exact == nil && !scanner.isOwn
        item.setTags(ofOtherProgram: tags + names.dropFirst(), &tagRemarks, line: part.line)
    }

    /// Returns the tags in a value of `X-TODOD-TAGS`, or `nil` if it cannot be read.
    static func tags(in written: String) -> [String]? {
        let words = written.split(separator: " ")
        let tags = words.compactMap { word in
            word.hasPrefix("\"") ? ICalendarExactText.read(String(word)) : String(word)
        }
        return tags.count == words.count ? tags : nil
    }
}

extension ICalendarPart {
    /// All names in CATEGORIES, without the spaces around them. libical splits some of them at the wrong commas.
    fileprivate var categories: [String] {
        properties.filter { $0.component == nil && $0.name == "CATEGORIES" }
            .flatMap { Self.texts(in: $0.value ?? "") }
            .filter { $0.contains { !$0.isWhitespace } }
    }

    /// Returns the texts of a list, which are separated by commas without a backslash.
    private static func texts(in written: String) -> [String] {
        var texts = [""]
        var scalars = written.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case ",": texts.append("")
            case "\\":
                guard let escaped = scalars.popFirst() else { break }
                texts[texts.count - 1].unicodeScalars.append(
                    escaped == "n" || escaped == "N" ? "\n" : escaped)
            default: texts[texts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return texts
    }
}
