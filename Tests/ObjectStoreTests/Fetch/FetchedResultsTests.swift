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
}
