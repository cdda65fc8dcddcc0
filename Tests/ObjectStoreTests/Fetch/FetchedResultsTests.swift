import ObjectStore
import TestSupport
import Testing

/// Live results: a request whose objects are kept current.
@Suite struct FetchedResultsTests {
    let directory = TemporaryStore()

    private static let byTitle = Book.all.ordered(by: \.title)

    /// Results that are fetched, and the differences that they report, as text.
    private final class Watched {
        let results: FetchedResultsController<Book>
        private(set) var reports: [String] = []
        private var observation: ObservationToken?

        init(_ results: FetchedResultsController<Book>) throws {
            self.results = results
            try results.performFetch()
            observation = results.observe { [weak self] in self?.reports.append(Watched.text(of: $0)) }
        }

        var titles: [[String]] { results.sections.map { results.objects[$0.range].map(\.title) } }

        private static func text(of changes: FetchedResultsChanges<Book>) -> String {
            let text =
                changes.deletedSections.map { "section -\($0)" }
                + changes.insertedSections.map { "section +\($0)" }
                + changes.deleted.map { "-\($0.place)" }
                + changes.inserted.map { "+\($0.object.title) \($0.place)" }
                + changes.moved.map { "\($0.object.title) \($0.from) to \($0.to)" }
                + changes.updated.map { "~\($0.object.title) \($0.place)" }
            return text.joined(separator: ", ")
        }
    }

    private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
        try #require(try context.object(of: Book.self, matching: \.title, equals: title))
    }

    // MARK: - Results

    @Test func resultsAreEmptyUntilPerformFetch() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let results = FetchedResultsController(Self.byTitle, in: context)
        #expect(results.objects.isEmpty && results.sections.isEmpty)
        try results.performFetch()
        #expect(
            results.objects.map(\.title) == ["Emma", "Mansfield Park", "Persuasion", "emma", "\u{C9}ire"])
        #expect(results.sections.map(\.name) == [""] && results.sections[0].range == 0..<5)
    }

    @Test func objectsAreFoundByPlace() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let results = FetchedResultsController(
            Book.all.ordered(by: \.publisher?.name, ascending: false).ordered(by: \.title),
            sectionedBy: \.publisher?.name, in: context)
        try results.performFetch()
        #expect(results.sections.map(\.name) == ["Murray", "Egerton", ""])
        #expect(results.sections.map(\.range) == [0..<2, 2..<3, 3..<5])
        let persuasion = results[section: 0, index: 1]
        #expect(persuasion.title == "Persuasion")
        #expect(results.index(of: persuasion) == 1)
        #expect(results.place(of: persuasion) == FetchedResultsPlace(section: 0, index: 1))
        #expect(results[FetchedResultsPlace(section: 2, index: 0)].title == "emma")
        let unsaved = try context.insert(Book.self)
        #expect(results.place(of: unsaved) == nil)
    }

    @Test func sectionTitlesAreComputed() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let byKey = FetchedResultsController(
            Self.byTitle, sectionedBy: \.pages, titled: { $0 > 100 ? "long" : "short" }, in: context)
        try byKey.performFetch()
        #expect(byKey.sections.map(\.name) == ["long", "short"])
        #expect(byKey.objects.map(\.title) == ["Emma", "Mansfield Park", "Persuasion", "emma", "\u{C9}ire"])
        let byObject = FetchedResultsController(
            Self.byTitle, sectionedBy: { $0.title.prefix(1).uppercased() }, in: context)
        try byObject.performFetch()
        #expect(byObject.sections.map(\.name) == ["E", "M", "P", "\u{C9}"])
        #expect(byObject.sections[0].range == 0..<2)
    }

    @Test func sectionKeyThatIsNumberOfObjectsIsRefused() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let results = FetchedResultsController(Self.byTitle, sectionedBy: \.authors.count, in: context)
        let error = try #require(throws: FetchError.self) { try results.performFetch() }
        #expect(error.message == "Book.authors.@count is a number of objects, which cannot be a section key")
    }

    // MARK: - Reports

    @Test func unsavedChangesAreReportedWhenProcessed() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        try book("Persuasion", context).title = "A Persuasion"
        try context.delete(book("Emma", context))
        #expect(watched.reports == [])
        context.processPendingChanges()
        #expect(
            watched.reports == ["-[0, 0], A Persuasion [0, 2] to [0, 0], ~A Persuasion [0, 0]"])
        context.processPendingChanges()
        try context.save()
        #expect(watched.reports.count == 1)
        #expect(watched.titles == [["A Persuasion", "Mansfield Park", "emma", "\u{C9}ire"]])
    }

    @Test func savesOfOtherContextsAreReported() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        let other = ManagedObjectContext(coordinator: context.coordinator)
        try book("emma", other).pages = 13
        try other.insert(Book.self).title = "Zadig"
        other.processPendingChanges()
        #expect(watched.reports == [])
        try other.save()
        #expect(watched.reports == ["+Zadig [0, 3], ~emma [0, 4]"])
        #expect(try book("emma", context).pages == 13)
    }

    @Test func objectsMoveBetweenSections() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(
            FetchedResultsController(
                Book.all.ordered(by: \.publisher?.name).ordered(by: \.title), sectionedBy: \.publisher?.name,
                in: context))
        let egerton = try #require(try book("Mansfield Park", context).publisher)
        try book("Persuasion", context).publisher = egerton
        try context.save()
        #expect(watched.reports == ["Persuasion [2, 1] to [1, 1], ~Persuasion [1, 1]"])
        try book("Emma", context).publisher = egerton
        try context.save()
        #expect(watched.reports.last == "section -2, Emma [2, 0] to [1, 0], ~Emma [1, 0]")
        egerton.name = "Zegerton"
        try context.save()
        #expect(watched.results.sections.map(\.name) == ["", "Zegerton"])
        #expect(watched.titles[1] == ["Emma", "Mansfield Park", "Persuasion"])
    }

    @Test func changesOfRelationshipsAreUpdates() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        let emma = try book("Emma", context)
        let cassandra = try #require(
            try context.object(of: Author.self, matching: \.name, equals: "Cassandra"))
        emma.authors.insert(cassandra)
        context.processPendingChanges()
        #expect(watched.reports == ["~Emma [0, 0]"])
        try context.save()
        #expect(watched.reports.count == 1)
        try context.deleteAll(Author.where { $0.name == "Cassandra" })
        #expect(watched.reports.last == "~Emma [0, 0], ~\u{C9}ire [0, 4]")
        emma.authors.replace(with: [])
        context.processPendingChanges()
        context.rollback()
        #expect(watched.reports.suffix(2) == ["~Emma [0, 0]", "~Emma [0, 0]"])
    }

    @Test func saveOfUnrelatedEntityDoesNotFetch() throws {
        let context = try TestedStore.custom.shelf(in: directory)
        let store = try #require(context.store as? SnapshotStore)
        let plain = FetchedResultsController(
            Book.where { $0.pages > 3 }.ordered(by: \.title), in: context)
        try plain.performFetch()
        let before = store.reads
        try context.insert(Author.self).name = "Fanny"
        try context.save()
        #expect(store.reads == before)
        let related = FetchedResultsController(Book.where { $0.authors.any.name == "Jane" }, in: context)
        try related.performFetch()
        try context.insert(Author.self).name = "Frances"
        try context.save()
        #expect(store.reads == before + 2)
    }

    @Test func batchIsReportedOnce() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        try context.coordinator.batch {
            for title in ["A", "B"] {
                try context.insert(Book.self).title = title
                try context.save()
            }
            #expect(watched.reports == [])
        }
        #expect(watched.reports == ["+A [0, 0], +B [0, 1]"])
    }

    @Test func failedTransactionIsTakenBack() throws {
        struct Stop: Error {}
        let context = try TestedStore.sqlite.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(throws: Stop.self) {
            try context.coordinator.transaction {
                try other.insert(Book.self).title = "A"
                try other.save()
                context.processPendingChanges()
                #expect(watched.reports == ["+A [0, 0]"])
                throw Stop()
            }
        }
        #expect(watched.reports == ["+A [0, 0]", "-[0, 0]"])
    }

    @Test func observerMayChangeObjects() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let watched = try Watched(FetchedResultsController(Self.byTitle, in: context))
        let observation = watched.results.observe { changes in
            for (book, _) in changes.inserted where book.pages == 0 { book.pages = 1 }
            try? context.save()
        }
        try context.insert(Book.self).title = "A"
        try context.save()
        #expect(watched.reports == ["+A [0, 0]", "~A [0, 0]"])
        #expect(!context.hasChanges)
        observation.cancel()
    }

    @Test func failedFetchKeepsResults() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        struct Refusal: Error {}
        var isRefused = false
        let watched = try Watched(
            FetchedResultsController(
                Self.byTitle,
                sectionedBy: { book throws in
                    if isRefused { throw Refusal() }
                    return String(book.title.prefix(1))
                }, in: context))
        let before = watched.titles
        isRefused = true
        try context.insert(Book.self).title = "A"
        try context.save()
        #expect(watched.results.failure is Refusal)
        #expect(watched.titles == before && watched.reports == [])
        isRefused = false
        context.processPendingChanges()
        #expect(watched.results.failure == nil)
        #expect(watched.reports == ["section +0, +A [0, 0]"])
    }

    @Test func releasedControllerIsNotNotified() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        var watched: Watched? = try Watched(FetchedResultsController(Self.byTitle, in: context))
        weak let results = watched?.results
        watched = nil
        #expect(results == nil)
        try context.insert(Book.self).title = "A"
        try context.save()
        #expect(try context.count(Book.all) == 6)
    }

    // MARK: - Any changes

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
