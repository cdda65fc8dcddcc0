import Foundation
import ObjectStore
import ObjectStoreFoundation
import ObjectStoreXML
import Testing

// The example of docs/object-store.md. `DocumentationTests` requires every line of code of that page here, so
// the code of the page is compiled and run.

/// A shelf of books, as an example of a program that uses the library.
@Suite struct BooksExample {
    final class Book: ManagedObject {
        @Attribute(.required, .length(1...200)) var title: String
        @Attribute(.range(0...)) var pages: Int = 0
        @Attribute var published: Timestamp?
        @Attribute var genre: Genre = .novel
        @ToOne var publisher: Publisher?
        @ToMany(inverse: \Author.books) var authors: RelatedObjects<Author>

        override func validate() throws {
            if published != nil, pages == 0 { throw invalid(\Book.pages, detail: "is 0 in a published book") }
        }
    }

    final class Author: ManagedObject {
        @Attribute(.required) var name: String
        @ToMany var books: RelatedObjects<Book>
    }

    final class Publisher: ManagedObject {
        @Attribute(.required, .uniqueIgnoringCase) var name: String
        @ToMany(inverse: \Book.publisher, deleteRule: .deny) var books: RelatedObjects<Book>
    }

    enum Genre: Int, AttributeValueConvertible {
        case novel, poetry, science
    }

    final class Recipe: ManagedObject {
        @Attribute(.required) var name: String
        @ToMany(inverse: \Step.recipe, orderedBy: \.place) var steps: RelatedObjects<Step>
    }

    final class Step: ManagedObject {
        @Attribute(.required) var text: String
        @Attribute var place: Int?
        @ToOne var recipe: Recipe?
    }

    struct PostalAddress: CompositeAttribute {
        var street = ""
        var city: String?

        static var partRules: [CompositePart<PostalAddress>] { [.part(\.street, .length(0...100))] }
    }

    final class Member: ManagedObject {
        @Attribute(.required) var name: String
        @Composite var home: PostalAddress
        @Composite(partRules: [.part(\.city, .required)]) var work: PostalAddress?
    }

    final class Track: ManagedObject {
        @Attribute(.required) var title: String
        @Attribute var seconds: Int = 0
        @Attribute(derivedFrom: "lowercase(title)") var sortTitle: String?
        @Attribute(derivedFrom: "(seconds + 59) / 60") var minutes: Int = 0
    }

    final class Page: ManagedObject {
        @Attribute(.required) var number: Int
        @External(.length(0...50_000_000)) var scan: [UInt8]?
    }

    class Item: ManagedObject {
        override class var isAbstract: Bool { self == Item.self }
        @Attribute(.required) var title: String
    }

    final class Chore: Item {
        @Attribute var minutes: Int = 15
    }

    final class Note: Item {
        @Attribute var text: String?
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    Book.self,
                    indexedBy: .index(\.published), .index(\.title, where: { $0.pages > 0 }),
                    .search(\.title)),
                EntityDescription(Author.self),
                EntityDescription(Publisher.self),
            ])
    }

    static func firstVersion() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["0"],
            entities: [
                EntityDescription(
                    "Book",
                    attributes: [.string("title", .required), .integer32("pages", default: 0)],
                    relationships: [.toOne("publisher", destination: "Publisher", inverse: "books")],
                    indexes: [.index("title")]),
                EntityDescription(
                    "Publisher",
                    attributes: [.string("name", .required, .uniqueIgnoringCase)],
                    relationships: [
                        .toMany("books", destination: "Book", inverse: "publisher", deleteRule: .deny)
                    ]),
            ])
    }

    let temporary = TemporaryStore()

    private func open() throws -> ManagedObjectContext {
        let path = temporary.path
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        return context
    }

    private func filled() throws -> ManagedObjectContext {
        let context = try open()
        let publisher = try context.insert(Publisher.self)
        publisher.name = "John Murray"

        let jane = try context.insert(Author.self)
        jane.name = "Jane Austen"

        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        emma.pages = 474
        emma.publisher = publisher
        emma.authors.insert(jane)

        try context.save()
        return context
    }

    @Test func objectsAndRelationships() throws {
        let context = try filled()
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        let emma = try #require(try context.objects(of: Book.self).first)
        print(publisher.books.map(\.title))  // ["Emma"]
        #expect(publisher.books.map(\.title) == ["Emma"])

        emma.publisher = nil
        print(publisher.books.isEmpty)  // true
        #expect(publisher.books.isEmpty)
        context.rollback()
        #expect(emma.publisher === publisher)
        #expect(throws: DeleteDeniedError.self) { try context.delete(publisher) }
    }

    @Test func orders() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Recipe.self), EntityDescription(Step.self),
            ]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let recipe = try context.insert(Recipe.self)
        recipe.name = "Bread"
        let steps = try ["Mix", "Bake", "Serve"].map { text in
            let step = try context.insert(Step.self)
            step.text = text
            return step
        }
        let (mix, bake, serve) = (steps[0], steps[1], steps[2])
        recipe.steps.replace(with: [mix, bake, serve])
        recipe.steps.insert(bake, at: 0)
        let oven = try context.fetch(Recipe.where { $0.steps.first.text == "Bake" })
        #expect(oven.first?.steps.map(\.text) == ["Bake", "Mix", "Serve"])
    }

    @Test func derivedAttributes() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Track.self, indexedBy: .index(\.sortTitle))
            ])
        )
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let track = try context.insert(Track.self)
        (track.title, track.seconds) = ("Blue in Green", 337)
        try context.save()
        print(track.sortTitle ?? "", track.minutes)  // blue in green 6
        let found = try context.fetch(Track.where { $0.minutes < 10 }.ordered(by: \.sortTitle))
        #expect(found == [track] && track.sortTitle == "blue in green" && track.minutes == 6)
    }

    @Test func compositeAttributes() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Member.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let member = try context.insert(Member.self)
        member.name = "Emma"
        member.home.city = "Paris"
        try context.save()
        let found = try context.fetch(Member.where { $0.home.city == "Paris" }.ordered(by: \.home.street))
        let same = try FetchPredicate("home.city == 'Paris' AND work == nil")
        #expect(try context.fetch(FetchRequest<Member>(matching: same)) == found && found == [member])
    }

    @Test func largeValues() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Page.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let page = try context.insert(Page.self)
        (page.number, page.scan) = (1, [1, 2, 3])
        try context.save()
        let missing = try context.fetch(Page.where { $0.scan == nil })
        let shown = try context.fetch(Page.where { $0.number < 3 }.prefetching(\.scan))
        #expect(missing.isEmpty && shown == [page] && page.scan == [1, 2, 3])
    }

    @Test func inheritance() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Item.self), EntityDescription(Chore.self), EntityDescription(Note.self),
            ]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let chore = try context.insert(Chore.self)
        (chore.title, chore.minutes) = ("Attic", 90)
        try context.insert(Note.self).title = "Beans"
        let found = try context.fetch(Item.all.ordered(by: \.title))  // chores and notes
        let long = try context.fetch(Chore.where { $0.title.begins(with: "A") && $0.minutes > 60 })
        let notes = try context.fetch(FetchRequest<Item>(matching: FetchPredicate("entity == 'Note'")))
        #expect(found.map { "\(type(of: $0))" } == ["Chore", "Note"])
        #expect(long == [chore] && notes.map(\.title) == ["Beans"])
    }

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

    @Test func manyAtOnce() throws {
        let context = try filled()
        let unknown = Book.where { $0.published == nil }
        try context.updateAll(unknown) { $0.genre = .novel }
        try context.deleteAll(Book.where { $0.pages == 0 })
        var updates = TypedUpdates(of: Book.self, setting: \.pages, \.genre)
        for (id, pages) in try context.rows(unknown, of: \.id, \.pages) {
            updates.append(id: id, pages + 1, .novel)
        }
        try context.updateEach([updates.updates])
        #expect(try context.count(unknown) == 1)
    }

    @Test func savingAndFailing() throws {
        let context = try filled()
        let draft = try context.insert(Book.self)
        draft.pages = -1
        do {
            try context.save()
            Issue.record("a draft was saved")
        } catch let error as ValidationError {
            for failure in error.failures { print(failure) }
            // Book 2.title: required: there is no value
            // Book 2.pages: range: less than the lower bound
            #expect(
                error.failures.map(\.description) == [
                    "Book 2.title: required: there is no value",
                    "Book 2.pages: range: less than the lower bound",
                ])
        }
        draft.title = "Draft"
        (draft.pages, draft.published) = (0, Timestamp(secondsSince1970: 0))
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(error.description == "Book 2.pages: custom: is 0 in a published book")
        context.rollback()

        try context.coordinator.batch {
            for title in ["Persuasion", "Sanditon"] {
                try context.insert(Book.self).title = title
                try context.save()
            }
        }
        #expect(try context.count(FetchRequest<Book>()) == 3)

        context.undoLevels = 100
        let emma = try #require(try context.object(of: Book.self, id: 1))
        emma.title = "Emma, revised"
        context.endUndoGroup()
        context.undo()
        #expect(emma.title == "Emma")
        context.redo()
        #expect(emma.title == "Emma, revised")

        let observation = context.coordinator.observeSaves { changes in
            print(changes.inserted, changes.updated, changes.deleted)
        }
        try context.save()
        withExtendedLifetime(observation) {}

        let form = ManagedObjectContext(parent: context)
        let edited = try form.counterpart(of: emma)
        edited?.title = "Emma, third edition"
        try form.save()
        #expect(emma.title == "Emma, third edition" && context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test func upserting() throws {
        let context = try filled()
        context.uniquenessPolicy = .newObjectWins
        let murray = try context.insert(Publisher.self)
        murray.name = "JOHN MURRAY"
        try context.save()
        print(try context.objects(of: Publisher.self).map(\.name))  // ["JOHN MURRAY"]
        #expect(try context.objects(of: Publisher.self).map(\.name) == ["JOHN MURRAY"])
    }

    @Test func savingVeryMuch() throws {
        let context = try open()
        try context.coordinator.transaction {
            for number in 1...2_000 {
                try context.insert(Book.self).title = "Volume \(number)"
                if number.isMultiple(of: 500) { try context.save() }
            }
            try context.save()
        }
        #expect(try context.count(FetchRequest<Book>()) == 2_000)
    }

    actor Shelf {
        private let context: ManagedObjectContext

        init(path: String, model: ManagedObjectModel) throws {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(.sqlite(path: path))
            context = ManagedObjectContext(coordinator: coordinator)
        }

        func add(_ title: String) throws -> ObjectID {
            let book = try context.insert(Book.self)
            book.title = title
            try context.save()
            return book.objectID
        }
    }

    @Test func actorOwnsContext() async throws {
        let shelf = try Shelf(path: temporary.path, model: try Self.model())
        #expect(try await shelf.add("Emma") == ObjectID(entity: "Book", id: 1))
    }

    @Test func containerServesTasks() async throws {
        let path = temporary.path
        let container = try await PersistentContainer.open(.sqlite(path: path), model: try Self.model())
        try await container.write(author: "server") { context in
            try context.insert(Book.self).title = "Emma"
        }
        let titles = try await container.read { context in
            try context.fetch(Book.all.ordered(by: \.title)).map(\.title)
        }
        #expect(titles == ["Emma"])

        let saves = container.saves()
        let books = try await container.read { context in
            try context.fetch(Book.all).map { $0.snapshot() }
        }
        #expect(books.map(\.title) == ["Emma"])
        try await followResults(of: container)
        let emma = books[0]
        try await container.write { context in
            if let book = try context.object(emma.objectID) as? Book { book.pages = emma.pages + 400 }
        }
        await container.close()
        var updated: [ObjectID] = []
        for await save in saves {
            switch save {
            case .saved(let changes): updated += changes.updated
            case .missed: break
            }
        }
        #expect(updated == [emma.objectID])
    }

    private func followResults(of container: PersistentContainer) async throws {
        let second = "Persuasion"
        let former = try await container.read { try $0.fetch(Book.all).map { $0.snapshot() } }
        var shown: [String] = []
        for try await books in container.results(of: Book.all.ordered(by: \.title)) {
            shown = books.map(\.title)
            if books.count == 2 { break }
            try await container.write { try $0.insert(Book.self).title = second }
        }
        #expect(shown == ["Emma", "Persuasion"])
        let books = try await container.read { try $0.fetch(Book.all).map { $0.snapshot() } }
        let change = books.map(\.objectID).difference(from: former.map(\.objectID)).inferringMoves()
        #expect(change.insertions.count == 1)
        try await container.write { _ = try $0.deleteAll(Book.where { $0.title == second }) }
    }

    @Test func backgroundWriterSavesChanges() throws {
        let context = try filled()
        if let writer = try context.coordinator.beginBackgroundWrite() {
            let other = try writer.open()
            var saved = SavedChanges()
            let observation = other.observeSaves { saved.append($0) }
            let background = ManagedObjectContext(coordinator: other)
            try background.insert(Book.self).title = "Lady Susan"
            try background.save()
            #expect(try context.count(FetchRequest<Book>()) == 1)
            try context.coordinator.merge(saved, into: [context])
            observation.cancel()
            other.close()
            context.coordinator.endBackgroundWrite()
        }
        #expect(try context.count(FetchRequest<Book>()) == 2)
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

    struct Address: JSONAttribute {
        var street: String
        var city: String
    }

    @Test func encodingAndDecoding() throws {
        let context = try filled()
        let emma = try #require(try context.object(of: Book.self, id: 1))
        let coding = ObjectCoding<Book>(\.title, \.pages)
            .nesting(\.publisher, ObjectCoding(\.name)).nesting(\.authors, ObjectCoding(\.name))
        let data = try JSONEncoder().encode(coding.encoding(emma))
        print(String(decoding: data, as: UTF8.self))
        let copy = try coding.insert(into: context, fromJSON: data)
        try ObjectCoding<Book>().fill(copy, fromJSON: Data(#"{"pages": 500}"#.utf8))
        let snapshots = try JSONEncoder().encode([emma.snapshot()])
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectModel] = context.model
        let received = try decoder.decode([ObjectSnapshot<Book>].self, from: snapshots)
        try ObjectCoding(\Book.title, \.pages).fill(emma, from: received[0])
        #expect(!emma.isUpdated && received == [emma.snapshot()])
        #expect(copy.title == "Emma" && copy.pages == 500)
        #expect(copy.authors.map(\.name) == ["Jane Austen"] && copy.publisher?.name == "John Murray")
        let address = Address(street: "Albemarle Street", city: "London")
        #expect(address.attributeValue == .string(#"{"city":"London","street":"Albemarle Street"}"#))
    }

    @Test func historyIsRead() throws {
        let (model, path) = (try Self.model(), temporary.path)
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        context.transactionAuthor = "import"
        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        try context.save()
        let monthAgo = Timestamp(secondsSince1970: 0)
        var token = try coordinator.lastHistoryToken()
        emma.pages = 474
        try context.save()
        var lines: [String] = []
        for transaction in try coordinator.history(after: token) {
            for change in transaction.changes {
                print(transaction.number, change.kind, change.object, change.properties)
                // 2 updated Book 1 ["pages"]
                lines.append(
                    "\(transaction.number) \(change.kind) \(change.object) \(change.properties)")
            }
            token = transaction.token
        }
        #expect(lines == ["2 updated Book 1 [\"pages\"]"])
        #expect(try coordinator.history().map(\.author) == ["import", "import"])
        for transaction in try context.history(of: emma) { print(transaction.time, transaction.changes) }
        let synced = try coordinator.history(
            after: token, matching: HistoryFilter(of: Book.self, author: "sync"), limit: 100)
        #expect(try context.history(of: emma).count == 2 && synced.isEmpty)
        let stored = token.description
        token = HistoryToken(stored) ?? token
        try coordinator.purgeHistory(before: token)
        try coordinator.purgeHistory(before: monthAgo)
        #expect(try coordinator.history().map(\.number) == [2])
    }

    @Test func programsShareStore() throws {
        let (model, path) = (try Self.model(), temporary.path)
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: path, shared: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let observation = coordinator.observeSaves { changes in
            print(changes.author ?? "-", changes.inserted, changes.updated, changes.deleted)
        }
        try coordinator.mergeSavesOfOtherPrograms(into: [context])
        try context.insert(Book.self).title = "Emma"
        try context.save()
        #expect(try coordinator.mergeSavesOfOtherPrograms(into: [context]) == [])
        withExtendedLifetime(observation) {}
    }

    @Test func copies() throws {
        let context = try filled()
        let path = temporary.path
        let copy = temporary.directory + "/copy.sqlite"
        try StoreBackup.copy(.sqlite(path: path), to: copy)
        let problems = try StoreBackup.problems(of: .sqlite(path: copy))
        #expect(problems.isEmpty)
        context.coordinator.close()
        let old = temporary.directory + "/old.sqlite"
        try StoreBackup.restore(.sqlite(path: path), from: copy, keeping: old)
        #expect(try StoreBackup.problems(of: .sqlite(path: old)).isEmpty)
    }

    @Test func severalStores() throws {
        try filled().coordinator.close()
        let path = temporary.path
        let archivePath = temporary.directory + "/archive.sqlite"
        let cataloguePath = temporary.directory + "/catalogue.xml"
        let entities = try Self.model().entities.map(\.description)
        let catalogue = PersistentStoreCoordinator(model: try Self.model())
        try catalogue.addStore(.xml(path: cataloguePath))
        let people = ManagedObjectContext(coordinator: catalogue)
        try people.insert(Author.self).name = "Fanny"
        try people.save()
        catalogue.close()

        let model = try ManagedObjectModel(
            entities: entities,
            configurations: ["Books": ["Book", "Author", "Publisher"], "People": ["Author"]])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: path), configuration: "Books")
        try coordinator.addStore(.sqlite(path: archivePath), configuration: "Books")
        try coordinator.addStore(.xml(path: cataloguePath, readOnly: true), configuration: "People")

        let context = ManagedObjectContext(coordinator: coordinator)
        let archive = coordinator.stores[1]
        let old = try context.insert(Book.self)
        try context.assign(old, to: archive)
        old.title = "The Watsons"
        try context.save()

        let archived = FetchRequest<Book>(
            orderedBy: [FetchOrder("title")], affectedStores: [archive.metadata.identifier])
        #expect(try context.fetch(archived) == [old])
        #expect(try context.store(of: old) === archive)
        #expect(try context.objects(of: Book.self, orderedBy: [FetchOrder("title")]).last === old)

        old.pages = 80
        do {
            try context.save()
        } catch let error as PartialSaveError {
            print(error.saved, error.unsaved, error.cause)
        }
    }
}
