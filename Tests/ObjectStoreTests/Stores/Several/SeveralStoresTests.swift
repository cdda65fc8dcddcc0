import ObjectStore
import ObjectStoreXML
import Testing

/// Objects that belong to one of several stores.
@Suite struct SeveralStoresTests {
    // MARK: - Assignment to stores

    @Test func configurationSelectsStoreOfObjects() throws {
        let model = try Library.model(configurations: ["Shop": ["Book", "Cover"], "People": ["Author"]])
        let coordinator = PersistentStoreCoordinator(model: model)
        let (people, shop) = (MemoryStore(model: model), MemoryStore(model: model))
        try coordinator.addStore(people, configuration: "People")
        try coordinator.addStore(shop, configuration: "Shop")
        let context = ManagedObjectContext(coordinator: coordinator)
        let author = try context.insert(Author.self)
        author.name = "Jane"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        #expect(try context.store(of: author) === people)
        #expect(try context.store(of: book) === shop)
        try context.save()
        let books = StoreRequest(entity: book.entity)
        #expect(try shop.count(books) == 1 && people.count(books) == 0)
        #expect(try context.object(of: Book.self, id: book.id) === book)
        let error = #expect(throws: StoreError.self) { try context.insert(Publisher.self) }
        #expect(error?.code == .noStore)
        #expect(error?.message.contains("Publisher") == true)
        #expect(throws: StoreError.self) { try context.assign(context.insert(Author.self), to: shop) }
    }

    @Test func unknownConfigurationIsNamed() throws {
        let model = try Library.model(configurations: ["Shop": ["Book"]])
        let coordinator = PersistentStoreCoordinator(model: model)
        let error = #expect(throws: StoreError.self) {
            try coordinator.addStore(.memory, configuration: "Shoe")
        }
        #expect(error?.message == "the model has no configuration Shoe; it has Shop")
        #expect(throws: ModelError.self) { try Library.model(configurations: ["Shop": ["Bok"]]) }
    }

    @Test func storeCannotBeAddedTwice() throws {
        let branches = try Branches([.memory])
        #expect(throws: StoreError.self) { try branches.coordinator.addStore(branches.stores[0]) }
        #expect(branches.stores.count == 1)
    }

    @Test(arguments: TestedStore.allCases, [TestedStore.sqlite, .binary])
    func assignedObjectStaysInItsStore(_ first: TestedStore, _ second: TestedStore) throws {
        let branches = try Branches([first, second])
        let context = branches.context
        let book = try branches.insert("Emma", in: 1)
        // A fetch writes the unsaved changes. They follow the object.
        let other = try context.insert(Book.self)
        other.title = "Persuasion"
        #expect(try context.count(FetchRequest<Book>()) == 2)
        try context.assign(other, to: branches.stores[1])
        try context.save()
        #expect(try branches.titles(in: 0) == [])
        #expect(try branches.titles(in: 1) == ["Emma", "Persuasion"])
        let error = #expect(throws: StoreError.self) { try context.assign(book, to: branches.stores[0]) }
        #expect(error?.code == .crossStore)
        #expect(error?.message.contains("Book 1 was saved and stays") == true)
        book.title = "Emma again"
        try context.delete(other)
        try context.save()
        #expect(try branches.titles(in: 1) == ["Emma again"])
    }

    // MARK: - Identity

    @Test func sameIDInTwoStoresIsTwoObjects() throws {
        let model = try Library.model()
        let stores = [MemoryStore(model: model), MemoryStore(model: model)]
        for (number, store) in stores.enumerated() {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(store)
            let context = ManagedObjectContext(coordinator: coordinator)
            let publisher = try context.insert(Publisher.self)
            publisher.name = "Publisher \(number)"
            for title in ["A", "B"] {
                let book = try context.insert(Book.self)
                book.title = "\(title)\(number)"
                book.publisher = publisher
                let author = try context.insert(Author.self)
                author.name = "\(title)\(number)"
                book.authors.insert(author)
            }
            try context.save()
        }
        let coordinator = PersistentStoreCoordinator(model: model)
        for store in stores { try coordinator.addStore(store) }
        let context = ManagedObjectContext(coordinator: coordinator)
        let books = try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("id")]))
        #expect(books.map(\.title) == ["A0", "A1", "B0", "B1"])
        #expect(books.map { $0.publisher?.name } == [0, 1, 0, 1].map { "Publisher \($0)" })
        #expect(books.map { $0.authors.map(\.name) } == [["A0"], ["A1"], ["B0"], ["B1"]])
        #expect(books[0].objectID == ObjectID(entity: "Book", id: 1))
        let second = ObjectID(entity: "Book", id: 1, store: stores[1].metadata.identifier)
        #expect(books[1].objectID == second)
        #expect(try context.object(second) === books[1])
        #expect(try context.object(ObjectID(entity: "Book", id: 1)) === books[0])
        #expect(try context.object(ObjectID(entity: "Book", id: 1, store: UUIDValue())) == nil)
        let error = #expect(throws: FetchError.self) { try context.object(of: Book.self, id: 1) }
        #expect(error?.code == .several)
        // A new object has an id that is free in every store.
        #expect(try context.insert(Book.self).id == 3)
        // A change of one object leaves the other one unchanged, also for other contexts.
        let other = ManagedObjectContext(coordinator: coordinator)
        let theirs = try #require(try other.object(second) as? Book)
        try context.delete(context.insertedObjects[0])
        books[0].title = "A0 changed"
        try context.save()
        theirs.title = "A1 changed"
        try other.save()
        #expect(
            try other.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("title")])).map(\.title) == [
                "A0 changed", "A1 changed", "B0", "B1",
            ])
    }

    @Test func storeCanBeAddedWhileContextsExist() throws {
        let branches = try Branches([.memory])
        let book = try branches.insert("Emma", in: 0)
        try branches.coordinator.addStore(MemoryStore(model: branches.coordinator.model))
        let second = try branches.insert("Persuasion", in: 1)
        try branches.context.save()
        #expect(try branches.titles(in: 1) == ["Persuasion"])
        #expect(book.objectID.store == nil)
        #expect(second.objectID.store == branches.stores[1].metadata.identifier)
        #expect(second.id == book.id + 1)
    }

    // MARK: - Relationships

    @Test func relationshipStaysWithinStore() throws {
        let branches = try Branches([.memory, .memory])
        let context = branches.context
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        try context.save()
        let book = try branches.insert("Emma", in: 1)
        let author = try context.insert(Author.self)
        author.name = "Jane"
        #expect(throws: StoreError.self) { try book.setTarget(publisher, of: "publisher") }
        book.publisher = publisher
        book.authors.insert(author)
        publisher.books.insert(book)
        #expect(book.publisher == nil && book.authors.isEmpty && publisher.books.isEmpty)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .crossStore)
        let (first, second) = (branches.stores[0].name, branches.stores[1].name)
        #expect(
            error?.message.hasPrefix(
                "Book.publisher cannot connect Book 1 in \(second) to Publisher 1 in \(first)") == true)
        context.rollback()
        #expect(!context.hasChanges)
        try context.save()
    }

    @Test func assignmentOfRelatedObjectIsRefused() throws {
        let branches = try Branches([.memory, .memory])
        let context = branches.context
        let book = try context.insert(Book.self)
        let author = try context.insert(Author.self)
        book.authors.insert(author)
        for object in [book, author] {
            let error = #expect(throws: StoreError.self) {
                try context.assign(object, to: branches.stores[1])
            }
            #expect(error?.message.contains("has relationships already") == true)
        }
        book.authors.remove(author)
        try context.assign(book, to: branches.stores[1])
        try context.assign(author, to: branches.stores[1])
        book.authors.insert(author)
        book.title = "Emma"
        author.name = "Jane"
        try context.save()
        let other = ManagedObjectContext(coordinator: branches.coordinator)
        #expect(try other.objects(of: Author.self).first?.books.map(\.title) == ["Emma"])
    }

    // MARK: - Rules and undo

    @Test func uniquenessSpansStores() throws {
        let branches = try Branches([.memory, .sqlite])
        let context = branches.context
        for store in branches.stores {
            let publisher = try context.insert(Publisher.self)
            try context.assign(publisher, to: store)
            publisher.name = "Murray"
        }
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.rule) == [.unique, .unique])
        #expect(
            try branches.stores.map { try $0.count(StoreRequest(entity: context.insertedObjects[0].entity)) }
                == [0, 0])
    }

    @Test func undoRestoresObjectsToTheirStore() throws {
        let branches = try Branches([.memory, .memory])
        let context = branches.context
        context.undoLevels = 5
        let book = try branches.insert("Emma", in: 1)
        try context.save()
        try context.delete(book)
        try context.save()
        #expect(try branches.titles(in: 1) == [])
        context.undo()
        try context.save()
        #expect(try branches.titles(in: 1) == ["Emma"])
        #expect(try branches.titles(in: 0) == [])
    }

    // MARK: - Migration to another kind

    @Test func oneOfSeveralStoresIsRewrittenAsAnotherKind() throws {
        let branches = try Branches([.memory, .sqlite])
        let book = try branches.insert("Emma", in: 1)
        try branches.context.save()
        let name = book.objectID
        let path = branches.path(1, .xml)
        let new = try branches.coordinator.migrate(store: branches.stores[1], to: .xml(path: path))
        #expect(branches.stores[1] === new)
        book.title = "Emma, in a document"
        try branches.context.save()
        #expect(book.objectID == name)
        #expect(try branches.titles(in: 1) == ["Emma, in a document"])
    }
}
