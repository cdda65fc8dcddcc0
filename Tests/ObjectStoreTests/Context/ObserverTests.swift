import ObjectStore
import Testing

@Suite struct ObserverTests {
    let store = TemporaryStore()

    private func line(_ event: ContextEvent) -> String {
        switch event {
        case .inserted(let object): "inserted \(object.objectID)"
        case .changed(let object, let property): "changed \(object.objectID).\(property)"
        case .deleted(let object): "deleted \(object.objectID)"
        case .saved(let changes):
            "saved +\(changes.inserted.count) ~\(changes.updated.count) -\(changes.deleted.count)"
        case .rolledBack: "rolled back"
        case .merged: "merged"
        }
    }

    @Test func everyChangeIsObserved() throws {
        let context = try store.context()
        var events: [String] = []
        let observations = [
            context.observe { events.append(self.line($0)) },
            context.beforeSave { events.append("will save") },
        ]
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        try context.save()
        try context.delete(publisher)
        context.rollback()
        book.pages = 1
        try context.save()
        for observation in observations { observation.cancel() }
        book.pages = 2
        #expect(
            events == [
                "inserted Publisher 1", "changed Publisher 1.name", "inserted Book 1", "changed Book 1.title",
                "changed Book 1.publisher", "will save", "saved +2 ~0 -0", "changed Book 1.publisher",
                "deleted Publisher 1",
                "rolled back", "changed Book 1.pages", "will save", "saved +0 ~1 -0",
            ])
    }

    @Test func changesByObserverBeforeSaveAreSaved() throws {
        let context = try store.context()
        let observation = context.beforeSave {
            for case let book as Book in context.insertedObjects { book.pages = 100 }
        }
        let book = try context.insert(Book.self)
        book.title = "Emma"
        try context.save()
        #expect(!context.hasChanges)
        withExtendedLifetime(observation) {}
        #expect(try store.rows("SELECT pages FROM Book") == ["100"])
    }

    @Test(arguments: ["save", "rollback"]) func observerBeforeSaveNeitherSavesNorRollsBack(method: String)
        throws
    {
        let context = try store.context()
        let observation = context.beforeSave {
            if method == "save" { try context.save() } else { context.rollback() }
        }
        try context.insert(Author.self).name = "Jane"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .misuse)
        #expect(context.insertedObjects.count == 1)
        observation.cancel()
        context.rollback()
        try context.insert(Author.self).name = "Emma"
        try context.save()
        #expect(try store.rows("SELECT name FROM Author") == ["Emma"])
    }

    @Test func errorOfObserverBeforeSaveEndsSave() throws {
        struct Refusal: Error {}
        let context = try store.context()
        var refuses = true
        let observation = context.beforeSave { if refuses { throw Refusal() } }
        try context.insert(Author.self).name = "Jane"
        #expect(throws: Refusal.self) { try context.save() }
        #expect(context.insertedObjects.count == 1)
        #expect(try store.rows("SELECT * FROM Author").isEmpty)
        refuses = false
        try context.save()
        withExtendedLifetime(observation) {}
        #expect(try store.rows("SELECT name FROM Author") == ["Jane"])
    }

    @Test func observationEndsWithItsToken() throws {
        let context = try store.context()
        var count = 0
        do {
            let observation = context.observe { _ in count += 1 }
            _ = try context.insert(Author.self)
            withExtendedLifetime(observation) {}
        }
        _ = try context.insert(Author.self)
        #expect(count == 1)
    }
}
