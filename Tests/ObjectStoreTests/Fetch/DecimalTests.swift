import ObjectStore
import Testing

/// Decimals are ordered, compared and aggregated as numbers, in every kind of store.
@Suite struct DecimalTests {
    let directory = TemporaryStore()

    private func covers(_ kind: TestedStore, _ prices: [String?]) throws -> ManagedObjectContext {
        let context = try kind.context(in: directory)
        for price in prices {
            let book = try context.insert(Book.self)
            book.title = price ?? "none"
            let cover = try context.insert(Cover.self)
            cover.image = []
            cover.price = price.flatMap(DecimalValue.init)
            cover.book = book
            book.publisher = try context.object(of: Publisher.self, id: 1) ?? publisher(context)
        }
        try context.save()
        return context
    }

    private func publisher(_ context: ManagedObjectContext) throws -> Publisher {
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        return publisher
    }

    @Test(arguments: TestedStore.allCases) func decimalsAreOrderedAsNumbers(_ kind: TestedStore) throws {
        let context = try covers(kind, ["10", "9.5", nil, "-2", "100", "-10", "0"])
        let titles = { (order: FetchOrder) in
            try context.fetch(FetchRequest<Book>(orderedBy: [order])).map(\.title)
        }
        #expect(try titles(FetchOrder("cover.price")) == ["none", "-10", "-2", "0", "9.5", "10", "100"])
        #expect(
            try titles(FetchOrder("cover.price", ascending: false))
                == ["100", "10", "9.5", "0", "-2", "-10", "none"])
        let groups = try context.rows(
            FetchRequest<Cover>(), of: ["price", .count], groupedBy: ["price"])
        #expect(groups.map { "\($0[0])" } == ["nil", "-10", "-2", "0", "9.5", "10", "100"])
    }

    @Test(arguments: TestedStore.allCases) func decimalsCompareAsNumbers(_ kind: TestedStore) throws {
        let context = try covers(kind, ["10", "9.5", nil, "-2", "100", "0.1"])
        let cases: [(FetchPredicate, [String])] = [
            (try FetchPredicate("price > 9"), ["10", "9.5", "100"]),
            (try FetchPredicate("price >= 9.5 AND price < %@", 100), ["10", "9.5"]),
            (try FetchPredicate("price BETWEEN {-2, '9.50'}"), ["9.5", "-2", "0.1"]),
            (try FetchPredicate("price <= %@", DecimalValue("0.10")), ["-2", "0.1"]),
            (try FetchPredicate("price == %@", AttributeValue.decimal("10.00")), ["10"]),
            (try FetchPredicate("NOT price < 50"), ["nil", "100"]),
            (try FetchPredicate("price > $least").binding(["least": .decimal("009.99")]), ["10", "100"]),
            (try FetchPredicate("CAST(price, 'NSNumber') * 2 > 19"), ["10", "100"]),
            (FetchPredicate(Cover.self) { $0.price > 9 && $0.price.isBetween(10, and: 11) }, ["10"]),
        ]
        for (predicate, expected) in cases {
            let found = try context.fetch(
                FetchRequest<Cover>(matching: predicate, orderedBy: [FetchOrder("id")]))
            #expect(found.map { $0.price?.text ?? "nil" } == expected, "\(predicate)")
            let inMemory = try context.objects(of: Cover.self).filter { try predicate.matches($0) }
            #expect(Set(inMemory.map(\.id)) == Set(found.map(\.id)), "\(predicate)")
        }
    }

    @Test(arguments: TestedStore.allCases) func sumsOfDecimalsAreExact(_ kind: TestedStore) throws {
        let context = try covers(kind, ["0.1", "0.2", nil, "100000000000000000000", "-9"])
        let columns: [FetchColumn] = [
            .sum("price"), .average("price"), .min("price"), .max("price"), .count,
        ]
        let rows = try context.rows(FetchRequest<Cover>(), of: columns)
        #expect(
            Array(rows[0].values) == [
                .decimal("99999999999999999991.3"), .double(99_999_999_999_999_999_991.3 / 4),
                .decimal("-9"), .decimal("100000000000000000000"), .integer(5),
            ])
        let none = try context.rows(FetchRequest<Cover>(matching: .none), of: columns)
        #expect(Array(none[0].values) == [.null, .null, .null, .null, .integer(0)])
        let typed = try context.rows(Cover.all, of: .sum(\.price), .average(\.price))
        #expect(
            typed[0].0?.text == "99999999999999999991.3" && typed[0].1 == 99_999_999_999_999_999_991.3 / 4)
        #expect(try context.count(Publisher.where { $0.books.sum(\.cover?.price) > 9 }) == 1)
        let noClient = try context.insert(Publisher.self)
        noClient.name = "Nobody"
        let cases: [(String, [Int64])] = [
            ("books.@sum.cover.price == '99999999999999999991.3'", [1]),
            ("books.@max.cover.price > '99999999999999999999.5'", [1]),
            ("books.@min.cover.price < -8.5", [1]), ("books.@avg.cover.price > 2e19", [1]),
            ("books.@sum.cover.price == 0", [2]), ("books.@sum.cover.price <= 0", [2]),
            ("books.@max.cover.price == nil", [2]), ("books.@avg.cover.price == nil", [2]),
        ]
        for (format, ids) in cases {
            let predicate = try FetchPredicate(format)
            #expect(try context.ids(FetchRequest<Publisher>(matching: predicate)) == ids, "\(format)")
            let inMemory = try context.objects(of: Publisher.self).filter { try predicate.matches($0) }
            #expect(inMemory.map(\.id) == ids, "\(format)")
        }
    }
}
