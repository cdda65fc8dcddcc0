import ObjectStore
import TestSupport
import Testing

/// Live results during random changes.
@Suite struct FetchedResultsRandomTests {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases, 0..<4)
    func reportedDifferencesLeadToFreshFetch(_ kind: TestedStore, seed: UInt64) throws {
        var run = try RandomChanges(kind.context(in: directory), seed: seed)
        for _ in 0..<120 { try run.step() }
        #expect(run.reports > 100)
    }
}

/// Random changes of books, and tables that only apply the reported differences.
private struct RandomChanges {
    /// A table as a program shows it: each object with a text of its values.
    final class Table {
        let results: FetchedResultsController<Book>
        let request: FetchRequest<Book>
        let title: (Book) -> String
        private(set) var rows: [[Row]] = []
        private(set) var reports = 0
        private var observation: ObservationToken?

        struct Row: Equatable {
            let id: ObjectID
            var text: String

            init(_ book: Book) {
                id = book.objectID
                let publisher = (try? book.value(of: "publisher"))?.description ?? ""
                let rating = book.rating.map { "\($0)" } ?? "-"
                text = "\(book.title) \(book.pages) \(rating) \(publisher) \(book.authors.map(\.id))"
            }
        }

        init(_ results: FetchedResultsController<Book>, title: @escaping (Book) -> String) throws {
            self.results = results
            self.title = title
            request = results.request
            try results.performFetch()
            rows = results.sections.map { results.objects[$0.range].map(Row.init) }
            observation = results.observe { [weak self] in self?.apply($0) }
        }

        private func apply(_ changes: FetchedResultsChanges<Book>) {
            reports += 1
            let moved = Dictionary(
                uniqueKeysWithValues: changes.moved.map { ($0.to, rows[$0.from.section][$0.from.index]) })
            for (_, place) in changes.removals { rows[place.section].remove(at: place.index) }
            for section in changes.deletedSections { #expect(rows.remove(at: section) == []) }
            for section in changes.insertedSections { rows.insert([], at: section) }
            for (object, place) in changes.insertions {
                rows[place.section].insert(moved[place] ?? Row(object), at: place.index)
            }
            for (object, place) in changes.updated { rows[place.section][place.index] = Row(object) }
        }

        func check() throws {
            var names: [String] = []
            var sections: [[Row]] = []
            for book in try results.context.fetch(request) {
                let name = title(book)
                if let section = names.firstIndex(of: name) {
                    sections[section].append(Row(book))
                } else {
                    names.append(name)
                    sections.append([Row(book)])
                }
            }
            if sections.isEmpty, results.sections.count == 1 { (names, sections) = ([""], [[]]) }
            try #require(results.failure == nil)
            try #require(results.sections.map(\.name) == names)
            try #require(rows == sections)
        }
    }

    private var random: ChoiceSource
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext
    private let tables: [Table]

    var reports: Int { tables.reduce(0) { $0 + $1.reports } }

    init(_ context: ManagedObjectContext, seed: UInt64) throws {
        random = ChoiceSource(seed: seed)
        self.context = context
        other = ManagedObjectContext(coordinator: context.coordinator)
        context.undoLevels = 20
        context.conflictPolicy = .mineWins
        other.conflictPolicy = .theirsWins
        let isLong = FetchPredicate(Book.self) { $0.pages > 2 }
        let byPublisher = Book.all.ordered(by: \.publisher?.name).ordered(by: \.pages)
        let ofMurray = Book.where { $0.publisher.name.begins(with: "M") || $0.authors.any.name == "A" }
        tables = [
            try Table(.init(Book.all, in: context)) { _ in "" },
            try Table(.init(FetchRequest(matching: isLong).ordered(by: \.rating), in: context)) { _ in "" },
            try Table(.init(byPublisher, sectionedBy: \.publisher?.name, in: context)) {
                $0.publisher?.name ?? ""
            },
            try Table(
                .init(Book.all.ordered(by: \.title).limit(6), sectionedBy: { $0.title }, in: context)
            ) { $0.title },
            try Table(
                .init(
                    ofMurray.ordered(by: \.pages).offset(1), sectionedBy: \.pages, titled: { "\($0 % 3)" },
                    in: context)
            ) { "\($0.pages % 3)" },
        ]
    }

    /// Makes one change, and compares the tables with fresh fetches if the changes were reported.
    mutating func step() throws {
        let isOther = random.chance(1, in: 4)
        try change(isOther ? other : context)
        if isOther || random.chance(1, in: 5) {
            try save(isOther ? other : context)
        } else if random.chance(1, in: 2) {
            return
        }
        context.processPendingChanges()
        for table in tables { try table.check() }
    }

    private func save(_ context: ManagedObjectContext) throws {
        do {
            try context.save()
        } catch is ConflictError {
            context.rollback()
        } catch let error as StoreError where error.code == .danglingReference {
            context.rollback()
        }
    }

    private mutating func book(_ context: ManagedObjectContext) throws -> Book? {
        let books = try context.fetch(Book.all.ordered(by: \.id))
        return books.isEmpty ? nil : random.pick(books)
    }

    private mutating func related<Object: ManagedObject>(_ context: ManagedObjectContext) throws -> Object? {
        let objects = try context.fetch(FetchRequest<Object>(orderedBy: [FetchOrder("id")]))
        return objects.isEmpty || random.chance(1, in: 5) ? nil : random.pick(objects)
    }

    private mutating func change(_ context: ManagedObjectContext) throws {
        struct Stop: Error {}
        switch random.number(below: 22) {
        case 0, 1, 2, 3:
            let book = try context.insert(Book.self)
            book.title = random.pick(["A", "B", "C", "D"])
            book.pages = random.number(below: 6)
            book.publisher = try related(context)
        case 4, 5: try book(context)?.pages = random.number(below: 6)
        case 6: try book(context)?.rating = random.chance(1, in: 3) ? nil : Double(random.number(below: 3))
        case 7: try book(context)?.title = random.pick(["A", "B", "C", "D"])
        case 8, 9:
            let publisher: Publisher? = try related(context)
            try book(context)?.publisher = publisher
        case 10:
            let author: Author? = try related(context)
            if let book = try book(context), let author {
                if book.authors.contains(author) {
                    book.authors.remove(author)
                } else {
                    book.authors.insert(author)
                }
            }
        case 11: if let book = try book(context) { try context.delete(book) }
        case 12:
            let publisher: Publisher? = try related(context)
            let name = "\(random.pick(["M", "N"]))\(random.number(below: 1000))"
            if let publisher { publisher.name = name } else { try context.insert(Publisher.self).name = name }
        case 13:
            let author: Author? = try related(context)
            if let author {
                author.name = random.pick(["A", "B"])
            } else {
                try context.insert(Author.self).name = "A"
            }
        case 14:
            let publisher: Publisher? = try related(context)
            if let publisher, random.chance(1, in: 3) { try context.delete(publisher) }
        case 15: if random.chance(1, in: 3) { context.rollback() }
        case 16: context.undo()
        case 17: context.redo()
        case 18:
            let pages = random.number(below: 6)
            try context.updateAll(Book.where { $0.pages == pages }) { $0.rating = 1 }
        case 19:
            if random.chance(1, in: 3) {
                try context.deleteAll(Book.where { $0.title == "D" && $0.pages > 3 })
            }
            context.endUndoGroup()
        case 20:
            // A transaction that keeps nothing.
            let coordinator = context.coordinator
            do {
                try coordinator.transaction {
                    try other.insert(Book.self).title = "lost"
                    try other.save()
                    if random.chance(1, in: 2) { self.context.processPendingChanges() }
                    throw Stop()
                }
            } catch is Stop {}
        default:
            if let book = try book(context) { try context.refresh(book) }
        }
    }
}
