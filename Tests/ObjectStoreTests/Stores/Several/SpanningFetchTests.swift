import ObjectStore
import TestSupport
import Testing

/// A fetch from several stores returns the same as one from a single store with the same objects.
@Suite struct SpanningFetchTests {
    /// The same books in one store and distributed over three.
    private struct Pair {
        let one: ManagedObjectContext
        let several: ManagedObjectContext
        let stores: [any PersistentStore]

        init(_ branches: Branches) throws {
            let coordinator = PersistentStoreCoordinator(model: branches.coordinator.model)
            try coordinator.addStore(.memory)
            one = ManagedObjectContext(coordinator: coordinator)
            several = branches.context
            stores = branches.stores
            try fill(one, nil)
            try fill(several, stores)
        }

        private func fill(_ context: ManagedObjectContext, _ stores: [any PersistentStore]?) throws {
            var random = SplitMix(state: 7)
            let titles = [
                "emma", "Emma", "\u{C9}ire", "E\u{301}ire", "eire", "Zo\u{EB}", "", "A", "\u{1F4D6}",
            ]
            let publishers = try (0..<6).map { number in
                let publisher = try context.insert(Publisher.self)
                if let stores { try context.assign(publisher, to: stores[number % 3]) }
                publisher.name = ["Murray", "egerton", "\u{C9}d", "Penguin", "EGERTON & Sons", "a"][number]
                return publisher
            }
            for number in 0..<60 {
                let book = try context.insert(Book.self)
                if let stores { try context.assign(book, to: stores[number % 3]) }
                book.title = titles[Int(random.next() % 9)] + "x"
                book.pages = Int(random.next() % 5)
                book.rating = random.next() % 3 == 0 ? nil : Double(random.next() % 8) / 2
                book.inPrint = random.next() % 2 == 0
                if random.next() % 3 > 0 {
                    book.publisher = publishers[number % 3 + 3 * Int(random.next() % 2)]
                }
            }
            try context.save()
        }
    }

    private static let kinds: [[TestedStore]] = [
        [.memory, .memory, .memory], [.sqlite, .xml, .binary], [.custom, .sqlite, .memory],
    ]

    private static let orders: [[FetchOrder]] = [
        [], [FetchOrder("title")], [FetchOrder("title", options: .caseInsensitive), FetchOrder("pages")],
        [FetchOrder("title", options: [.caseInsensitive, .diacriticInsensitive], ascending: false)],
        [FetchOrder("rating")], [FetchOrder("rating", ascending: false), FetchOrder("title")],
        [FetchOrder("publisher.name", options: .caseInsensitive)],
        [FetchOrder("inPrint"), FetchOrder("pages")],
        [FetchOrder("id", ascending: false)], [FetchOrder("pages", ascending: false)],
    ]

    private static let parts: [(limit: Int?, offset: Int)] = [
        (nil, 0), (7, 0), (7, 13), (0, 0), (nil, 55), (100, 58), (.max, 3),
    ]

    private func requests() throws -> [FetchRequest<Book>] {
        let predicates = try ["TRUEPREDICATE", "pages > 2 AND publisher.name != 'Murray'", "rating == nil"]
            .map { try FetchPredicate($0) }
        return Self.orders.flatMap { order in
            Self.parts.flatMap { part in
                predicates.map {
                    FetchRequest(matching: $0, orderedBy: order, limit: part.limit, offset: part.offset)
                }
            }
        }
    }

    @Test(arguments: kinds)
    func objectsAreOrderedAcrossStores(_ kinds: [TestedStore]) throws {
        let branches = try Branches(kinds)
        let pair = try Pair(branches)
        for request in try requests() {
            let isOrdered = !request.order.isEmpty || request.limit != nil || request.offset > 0
            let expected = try pair.one.ids(request)
            let ids = try pair.several.fetch(request).map(\.id)
            let named = try pair.several.objectIDs(request).map(\.id)
            #expect((isOrdered ? ids : ids.sorted()) == (isOrdered ? expected : expected.sorted()))
            #expect((isOrdered ? named : named.sorted()) == (isOrdered ? expected : expected.sorted()))
            #expect(try pair.several.count(request) == expected.count)
            let stream = try pair.several.stream(request)
            var streamed: [Int64] = []
            while let book = try stream.next() { streamed.append(book.id) }
            #expect(streamed == ids)
        }
    }

    @Test(arguments: kinds)
    func rowsAndAggregatesEqualThoseOfOneStore(_ kinds: [TestedStore]) throws {
        let branches = try Branches(kinds)
        let pair = try Pair(branches)
        let queries: [(columns: [FetchColumn], groups: [String], isDistinct: Bool)] = [
            (["id", "title", "publisher.name"], [], false),
            (["pages", "inPrint"], [], true),
            ([.count, .sum("pages"), .average("rating"), .min("title"), .max("rating")], [], false),
            (["pages", .count, .average("rating"), .sum("rating")], ["pages"], false),
            ([.count, "publisher.name", .max("title")], ["publisher.name"], false),
        ]
        for request in try requests() where !request.order.isEmpty {
            for query in queries {
                var request = request
                // The order of equal rows is unspecified, so the request orders by the requested columns.
                if query.isDistinct || !query.groups.isEmpty {
                    request.order = query.columns.compactMap {
                        if case .key(let key) = $0 { FetchOrder(key, ascending: key != "pages") } else { nil }
                    }
                }
                let expected = try pair.one.rows(
                    request, of: query.columns, groupedBy: query.groups, distinct: query.isDistinct)
                let rows = try pair.several.rows(
                    request, of: query.columns, groupedBy: query.groups, distinct: query.isDistinct)
                #expect(rows.map { Array($0.values) } == expected.map { Array($0.values) })
                let stream = try pair.several.stream(
                    request, of: query.columns, groupedBy: query.groups, distinct: query.isDistinct)
                var streamed: [[AttributeValue]] = []
                while let row = try stream.next() { streamed.append(Array(row.values)) }
                #expect(streamed == expected.map { Array($0.values) })
            }
        }
    }

    @Test func fetchSeesUnsavedChanges() throws {
        let branches = try Branches([.sqlite, .memory])
        try branches.insert("B", in: 0)
        try branches.insert("A", in: 1)
        let request = FetchRequest<Book>(orderedBy: [FetchOrder("title")])
        #expect(try branches.context.fetch(request).map(\.title) == ["A", "B"])
        #expect(try branches.context.stream(request).next() == nil)
        try branches.context.save()
        let other = ManagedObjectContext(coordinator: branches.coordinator)
        let books = try other.fetch(request)
        try branches.context.fetch(request)[0].title = "A, changed"
        try branches.context.save()
        #expect(try other.fetch(request).map(\.title) == ["A, changed", "B"])
        #expect(books[0].title == "A, changed")
    }

    @Test func onlyAffectedStoresAreFetched() throws {
        let branches = try Branches([.memory, .memory, .memory])
        for number in 0..<3 { try branches.insert("Book \(number)", in: number) }
        try branches.context.save()
        let names = branches.stores.map(\.metadata.identifier)
        var request = FetchRequest<Book>(
            orderedBy: [FetchOrder("title")], affectedStores: [names[2], names[0]])
        #expect(try branches.context.fetch(request).map(\.title) == ["Book 0", "Book 2"])
        request.affectedStores = [names[1]]
        #expect(try branches.context.ids(request) == [2])
        request.affectedStores = []
        #expect(try branches.context.fetch(request).isEmpty)
        #expect(try branches.context.rows(request, of: [.count])[0, 0] == .integer(0))
        request.affectedStores = nil
        let error = #expect(throws: FetchError.self) { try branches.context.ids(request) }
        #expect(error?.message.contains("objectIDs") == true)
        let unknown = UUIDValue()
        request.affectedStores = [unknown]
        #expect(
            throws: FetchError(.unknownStore, "the coordinator has no store with the identifier \(unknown)")
        ) {
            try branches.context.count(request)
        }
        let plan = try branches.context.explanation(of: FetchRequest<Book>()).plan
        #expect(plan.filter { $0.hasPrefix("in ") }.count == 3)
    }

    // MARK: - Changes of many objects

    @Test(arguments: [TestedStore.sqlite, .memory])
    func manyObjectsAreChangedInEveryStore(_ kind: TestedStore) throws {
        let branches = try Branches([kind, .memory, kind])
        var books: [Book] = []
        for number in 0..<6 { books.append(try branches.insert("Book", pages: number, in: number % 3)) }
        try branches.context.save()
        let context = branches.context
        var sent: [SavedChanges] = []
        let observation = branches.coordinator.observeSaves { sent.append($0) }
        let large = FetchRequest<Book>(matching: try FetchPredicate("pages > 2"))
        #expect(try context.updateAll(large, setting: ["inPrint": false]) == 3)
        #expect(books.map(\.inPrint) == [true, true, true, false, false, false])
        #expect(sent.map { Set($0.updated) } == [Set(books[3...].map(\.objectID))])
        var first = large
        first.limit = 1
        let error = #expect(throws: FetchError.self) { try context.deleteAll(first) }
        #expect(error?.code == .unsupported)
        first.affectedStores = [branches.stores[2].metadata.identifier]
        #expect(try context.deleteAll(first) == 1)
        #expect(try context.deleteAll(FetchRequest<Book>()) == 5)
        #expect(try context.count(FetchRequest<Book>()) == 0)
        observation.cancel()
    }
}
