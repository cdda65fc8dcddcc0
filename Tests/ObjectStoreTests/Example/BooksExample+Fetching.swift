import ObjectStore
import Testing

// Requests, rows, SQL and live results.
extension BooksExample {
    @Test func prefetching() throws {
        let context = try filled()
        let request = Publisher.all.prefetching(\.books).prefetching(\.books, then: \.authors)
        for publisher in try context.fetch(request) {
            print(publisher.name, publisher.books.flatMap { $0.authors.map(\.name) })
        }
        #expect(try context.fetch(request).first?.books.map(\.title) == ["Emma"])
    }

    @Test func fetching() throws {
        let context = try filled()
        let request = Book.where { $0.pages > 300 && $0.authors.any.name == "Jane Austen" }
            .ordered(by: \.published, ascending: false).ordered(by: \.title).limit(20)
        for book in try context.fetch(request) {
            print(book.id, book.title, book.publisher?.name ?? "-")
        }
        #expect(try context.fetch(request).map(\.title) == ["Emma"])

        let long = try FetchPredicate("pages > %d AND ANY authors.name CONTAINS[cd] %@", 300, "austen")
        let typed = FetchRequest<Book>(
            matching: long, orderedBy: [FetchOrder("published", ascending: false), FetchOrder("title")],
            limit: 20)
        #expect(try context.fetch(typed).map(\.title) == ["Emma"])

        let all = try context.fetch(Book.all)
        let emma = try context.object(of: Book.self, matching: \.title, equals: "Emma")
        let murray = try context.objects(of: Book.self, matching: \.publisher?.name, equals: "John Murray")
        let publisher = try #require(murray.first?.publisher)
        let theirs = try context.objects(of: Book.self, matching: \.publisher, equals: publisher)
        let either = try context.fetch(Book.where { $0.title == "Emma" || $0.genre == .poetry })
        let first = try context.object(of: Book.self, id: 1)
        let longest = try context.first(Book.all.ordered(by: \.pages, ascending: false))
        let hasPoems = try context.exists(Book.where { $0.genre == .poetry })
        #expect(longest === emma && !hasPoems)
        #expect(
            [all, murray, theirs, either, [emma, first].compactMap { $0 }].map(\.count) == [1, 1, 1, 1, 2])

        let found = try context.fetch(Book.where { $0.title.contains(words: "emm*") })
        #expect(found.map(\.title) == ["Emma"])

        let jane = try #require(emma?.authors.first { _ in true })
        let byJane = try FetchPredicate("authors CONTAINS %@ AND genre == %@", jane, Genre.novel)
        #expect(try context.count(FetchRequest<Book>(matching: byJane)) == 1)
        #expect(byJane == FetchPredicate(Book.self) { $0.authors.contains(jane) && $0.genre == .novel })

        let count = try context.count(request)
        print(try context.explanation(of: request))
        #expect(count == 1)
    }

    @Test func rowsAndGroups() throws {
        let context = try filled()
        for (title, pages) in try context.rows(Book.all.ordered(by: \.title), of: \.title, \.pages) {
            print(title.uppercased(), pages / 2)
        }

        let groups = try context.rows(
            Book.all, of: .key(\.publisher?.name), .count, .average(\.pages),
            groupedBy: [\.publisher?.name])
        for (publisher, count, pages) in groups {
            print(publisher ?? "-", count, pages ?? 0)
        }
        #expect(groups.map(\.0) == ["John Murray"] && groups.map(\.1) == [1] && groups.map(\.2) == [474])

        let rows = try context.rows(
            FetchRequest<Book>(), of: ["publisher.name", .count, .average("pages")],
            groupedBy: ["publisher.name"])
        for row in rows {
            print(row[0], row[1], row[2])
        }
        #expect(rows.map { Array($0.values) } == [[.string("John Murray"), .integer(1), .double(474)]])

        let large = try context.rows(
            Book.all.ordered(byColumn: .sum(\.pages), ascending: false),
            of: .key(\.publisher?.name), .count, groupedBy: [\.publisher?.name],
            having: { $0.count > 3 && $0.average(\.pages) < 200 })
        #expect(large.isEmpty)

        let busy = try context.rows(
            FetchRequest<Book>(orderedBy: [FetchOrder(.sum("pages"), ascending: false)]),
            of: ["publisher.name"], groupedBy: ["publisher.name"],
            having: try FetchPredicate("@count > 3 AND @avg.pages < 200"))
        let same = FetchPredicate(groupsOf: Book.self) { $0.count > 3 && $0.average(\.pages) < 200 }
        #expect(busy.isEmpty)
        #expect(same.description == "@count > 3 AND @avg.pages < 200.0")

        let short = try context.prepare(Book.where { $0.pages < .variable("limit") }, of: \.id, \.title)
        for (id, title) in try context.rows(short, with: ["limit": 300]) {
            print(id, title)
        }
        #expect(try context.rows(short, with: ["limit": 500]).map(\.1) == ["Emma"])

        let stream = try context.stream(Book.all.ordered(by: \.id), of: \.id, \.title)
        while let (id, title) = try stream.next() {
            print(id, title)
        }

        var columns = RowColumns<Book>()
        let title = columns.add(\.title)
        let pages = columns.add(\.pages)
        try context.forEachRow(Book.all, of: columns.list) { row in
            print(row.value(of: title) ?? "", row.value(of: pages) ?? 0)
        }
    }

    @Test func statementsInSQL() throws {
        let context = try filled()
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        let limit = 100
        let ranks = try context.sql(
            "SELECT title, rank() OVER (ORDER BY pages) FROM Book WHERE pages > \(limit)",
            as: (String, Int).self)
        #expect(ranks.map(\.0) == ["Emma"] && ranks.map(\.1) == [1])
        let titles = try context.sql(
            "SELECT \(\Book.title) FROM \(Book.self) WHERE \(\Book.publisher) = \(publisher)",
            as: String.self)
        #expect(titles == ["Emma"])
        try context.executeSQL("UPDATE Book SET pages = pages + 1 WHERE genre = \(Genre.poetry)")
        #expect(try context.rows(Book.all, of: \.pages) == [474])
    }

    @Test func liveResults() throws {
        let context = try filled()
        let results = FetchedResultsController(
            Book.all.ordered(by: \.publisher?.name).ordered(by: \.title),
            sectionedBy: \.publisher?.name, titled: { $0 ?? "No publisher" }, in: context)
        try results.performFetch()
        for section in results.sections {
            print(section.name, results.objects[section.range].map(\.title))
        }
        var table = results.sections.map { results.objects[$0.range].map(\.title) }
        let observation = results.observe { changes in
            for (_, place) in changes.removals { table[place.section].remove(at: place.index) }
            for section in changes.deletedSections { table.remove(at: section) }
            for section in changes.insertedSections { table.insert([], at: section) }
            for (book, place) in changes.insertions {
                table[place.section].insert(book.title, at: place.index)
            }
            for (book, place) in changes.updated { table[place.section][place.index] = book.title }
        }
        try context.insert(Book.self).title = "Persuasion"
        try context.save()
        #expect(table == [["Persuasion"], ["Emma"]])
        let emma = try #require(try context.object(of: Book.self, id: 1))
        (emma.title, emma.publisher) = ("Sanditon", nil)
        context.processPendingChanges()
        #expect(table == [["Persuasion", "Sanditon"]])
        #expect(results.sections.map(\.name) == ["No publisher"])
        withExtendedLifetime(observation) {}
    }
}
