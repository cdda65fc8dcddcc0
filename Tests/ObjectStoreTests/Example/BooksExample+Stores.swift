import ObjectStore
import ObjectStoreXML
import Testing

// Tasks and actors, the history, several programs, copies, and several stores.
extension BooksExample {
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
        let isMore = try coordinator.purgeHistory(before: monthAgo, keeping: 250_000, limit: 20_000)
        #expect(!isMore)
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
        let model = context.coordinator.model
        try StoreBackup.copy(.sqlite(path: path), to: copy)
        let problems = try StoreBackup.problems(of: .sqlite(path: copy), model: model)
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
}
