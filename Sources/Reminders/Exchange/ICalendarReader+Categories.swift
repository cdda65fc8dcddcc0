extension ICalendarReader {
    /// Sets the category and the tags from CATEGORIES.
    ///
    /// The category is the first one that an export of todod does not call a tag. All others are tags.
    ///
    /// - Returns: messages about tags that are changed or omitted.
    func takeCategories(of task: ICalendarTask, into item: inout ExchangeItem) -> [String] {
        var names = task.categories
        var tags: [String] = []
        for tag in Self.tags(in: task.own("X-TODOD-TAGS") ?? "") ?? [] {
            // A tag can have the name of the category, which precedes the tags.
            guard let index = names.lastIndex(where: { ICalendarExactText.matches(tag, $0) }) else {
                continue
            }
            tags.append(tag)
            names.remove(at: index)
        }
        item.category = task.exact("X-TODOD-CATEGORIES", beside: names.first) ?? names.first
        return item.setTags(ofOtherProgram: tags + names.dropFirst())
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
