import ObjectStore
import TestSupport
import Testing

/// Prefixes of texts, which are ranges of an index in SQLite.
@Suite struct TextPrefixTests {
    let directory = TemporaryStore()

    /// The next character after a combining mark can make one character with the letter before it.
    @Test(
        arguments: TestedStore.allCases,
        ["n\u{302}", "b\u{306}", "i\u{307}", "zz\u{D7FF}", "\u{10FFFF}", "n"])
    func prefixFindsItsTextsOnly(_ kind: TestedStore, prefix: String) throws {
        let context = try kind.context(in: directory, Library.model())
        let titles = [
            "n\u{302}a", "n\u{303}a", "na", "zebra", "o", "b\u{306}x", "büro", "car", "i\u{307}x",
            "zz\u{D7FF}1",
            "zz\u{E000}", "\u{10FFFF}\u{10FFFF}",
        ]
        for title in titles { try context.insert(Book.self).title = title }
        try context.save()
        for format in ["title BEGINSWITH %@", "title LIKE %@"] {
            let argument = format.contains("LIKE") ? prefix + "*" : prefix
            let found = try context.fetch(
                FetchRequest<Book>(matching: FetchPredicate(format, argument), orderedBy: [FetchOrder("id")]))
            let predicate = try FetchPredicate(format, argument)
            let expected = try context.fetch(Book.all.ordered(by: \.id)).filter { book in
                try predicate.matches(book)
            }
            #expect(!found.isEmpty && found == expected, "\(format)")
        }
    }
}
