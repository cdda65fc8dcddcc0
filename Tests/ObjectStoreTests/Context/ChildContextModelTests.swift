import ObjectStore
import TestSupport
import Testing

/// Random changes in a context, its child and its grandchild, compared with dictionaries.
@Suite struct ChildContextModelTests {
    private struct Fields: Equatable {
        var title: String
        var pages: Int
    }

    private struct Pair: Hashable {
        let book: Int64
        let author: Int64
    }

    /// The books and the pairs of books and authors that a context sees.
    private struct View: Equatable {
        var books: [Int64: Fields] = [:]
        var pairs: Set<Pair> = []
    }

    /// The unsaved changes of a context.
    private struct Changes {
        var books: [Int64: Fields?] = [:]
        var pairs: [Pair: Bool] = [:]

        var isEmpty: Bool { books.isEmpty && pairs.isEmpty }

        func touches(_ book: Int64) -> Bool {
            books[book] != nil || pairs.keys.contains { $0.book == book }
        }

        mutating func append(_ later: Changes) {
            books.merge(later.books) { $1 }
            pairs.merge(later.pairs) { $1 }
        }

        func applied(to view: View) -> View {
            var view = view
            for (id, fields) in books { view.books[id] = fields }
            for (pair, isAdded) in pairs {
                if isAdded { view.pairs.insert(pair) } else { view.pairs.remove(pair) }
            }
            return view
        }
    }

    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases, [1, 2, 3, 4] as [UInt64])
    func everyContextSeesItsOwnState(_ kind: TestedStore, _ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let root = try kind.context(in: directory)
        root.undoLevels = 100
        let authors = try (0..<3).map { number in
            let author = try root.insert(Author.self)
            author.name = "\(number)"
            return author.id
        }
        try root.save()
        var contexts = [root]
        for _ in 0..<2 { contexts.append(ManagedObjectContext(parent: contexts[contexts.count - 1])) }
        for context in contexts { context.undoLevels = 100 }
        var saved = View()
        var levels = [Changes(), Changes(), Changes()]
        for step in 0..<120 {
            let level = Int.random(in: 0..<3, using: &random)
            let context = contexts[level]
            let view = levels[0...level].reduce(saved) { $1.applied(to: $0) }
            let below = levels[(level + 1)...]
            let free = view.books.keys.filter { id in !below.contains { $0.touches(id) } }.sorted()
            switch Int.random(in: 0..<14, using: &random) {
            case 0...2:
                let book = try context.insert(Book.self)
                book.title = "book \(step)"
                levels[level].books[book.id] = Fields(title: book.title, pages: 0)
            case 3...5:
                guard let id = free.randomElement(using: &random), var fields = view.books[id] else { break }
                let book = try #require(try context.object(of: Book.self, id: id))
                fields.pages = step
                book.pages = step
                levels[level].books[id] = fields
            case 6:
                guard let id = free.randomElement(using: &random) else { break }
                try context.delete(try #require(try context.object(of: Book.self, id: id)))
                levels[level].books[id] = .some(nil)
                for pair in view.pairs where pair.book == id { levels[level].pairs[pair] = false }
            case 7...9:
                guard let id = free.randomElement(using: &random),
                    let author = authors.randomElement(using: &random)
                else { break }
                let pair = Pair(book: id, author: author)
                let book = try #require(try context.object(of: Book.self, id: id))
                let other = try #require(try context.object(of: Author.self, id: author))
                if view.pairs.contains(pair) {
                    book.authors.remove(other)
                } else {
                    book.authors.insert(other)
                }
                levels[level].pairs[pair] = !view.pairs.contains(pair)
            case 10, 11:
                try context.save()
                if level == 0 {
                    saved = levels[0].applied(to: saved)
                } else {
                    levels[level - 1].append(levels[level])
                }
                levels[level] = Changes()
            case 12 where below.allSatisfy(\.isEmpty):
                context.rollback()
                levels[level] = Changes()
            case 13 where below.allSatisfy(\.isEmpty) && !levels[level].isEmpty:
                // The changes that are undone are those that are made again.
                context.endUndoGroup()
                context.undo()
                context.redo()
            default: break
            }
            if step % 4 == 0 { try compare(contexts, levels, saved, step) }
        }
        try compare(contexts, levels, saved, 120)
        for level in [2, 1] {
            try contexts[level].save()
            levels[level - 1].append(levels[level])
        }
        try root.save()
        saved = levels[0].applied(to: saved)
        #expect(try Self.view(ManagedObjectContext(coordinator: root.coordinator)) == saved)
        guard TestedStore.inFiles.contains(kind) else { return }
        root.coordinator.close()
        let reopened = try kind.context(in: directory)
        #expect(try Self.view(reopened) == saved)
    }

    private func compare(
        _ contexts: [ManagedObjectContext], _ levels: [Changes], _ saved: View, _ step: Int
    ) throws {
        var expected = saved
        for (context, changes) in zip(contexts, levels) {
            expected = changes.applied(to: expected)
            #expect(try Self.view(context) == expected, "step \(step)")
            let isLong = FetchPredicate(.key("pages"), .greater, .value(.integer(20)))
            #expect(
                try context.count(FetchRequest<Book>(matching: isLong))
                    == expected.books.values.count { $0.pages > 20 })
        }
    }

    private static func view(_ context: ManagedObjectContext) throws -> View {
        var view = View()
        for book in try context.fetch(FetchRequest<Book>()) {
            view.books[book.id] = Fields(title: book.title, pages: book.pages)
            for author in book.authors { view.pairs.insert(Pair(book: book.id, author: author.id)) }
        }
        return view
    }
}
