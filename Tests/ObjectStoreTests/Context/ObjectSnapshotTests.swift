import ObjectStore
import TestSupport
import Testing

@Suite struct ObjectSnapshotTests {
    let store = TemporaryStore()

    private func books(_ kind: TestedStore = .sqlite) throws -> (ManagedObjectContext, Book) {
        let context = try kind.context(in: store)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Penguin"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.pages = 400
        book.publisher = publisher
        try context.save()
        return (context, book)
    }

    @Test(arguments: TestedStore.allCases)
    func snapshotKeepsValuesOfItsMoment(_ kind: TestedStore) throws {
        let (context, book) = try books(kind)
        let publisher = try #require(book.publisher)
        let before = book.snapshot()
        book.title = "Emma, again"
        book.publisher = nil
        let after = book.snapshot()
        try context.delete(book)
        try context.save()

        #expect(before.title == "Emma" && before.pages == 400 && before.isbn == nil)
        #expect(before.id == book.id && before.objectID == book.objectID)
        #expect(before.publisher == publisher.objectID)
        #expect(after.title == "Emma, again" && after.publisher == nil)
        #expect(before != after)
    }

    @Test func equalSnapshotsHaveTheSameObjectAndValues() throws {
        let (context, book) = try books()
        let other = try context.insert(Book.self)
        other.title = book.title
        other.pages = book.pages
        other.publisher = book.publisher
        #expect(book.snapshot() == book.snapshot())
        #expect(book.snapshot() != other.snapshot())
        #expect(Set([book.snapshot(), book.snapshot(), other.snapshot()]).count == 2)
    }

    /// An object in another store than the first one has a target in its own store.
    @Test func targetInSecondStoreIsFoundAgain() throws {
        let model = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: store.path))
        let second = try TestedStore.sqlite.open(store.path + ".second", model)
        try coordinator.addStore(second)
        let context = ManagedObjectContext(coordinator: coordinator)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Penguin"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        try context.assign(book, to: second)
        try context.assign(publisher, to: second)
        book.publisher = publisher
        try context.save()
        let target = try #require(book.snapshot().publisher)
        #expect(try context.object(target) === publisher)
    }

    @Test func snapshotIsUsedByAnotherTask() async throws {
        let (_, book) = try books()
        let snapshot = book.snapshot()
        let title = await Task.detached { snapshot.title }.value
        #expect(title == "Emma")
    }

    @Test func valueOfOtherObjectEndsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (_, book) = try ObjectSnapshotTests().books(.memory)
            _ = book.snapshot()[dynamicMember: \.publisher?.name]
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("publisher.name is not in a snapshot of Book"), "\(message)")
    }

    @Test func missingRequiredValueEndsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.context(in: TemporaryStore())
            _ = try context.insert(Book.self).snapshot().title
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("title is required and has no value yet"), "\(message)")
    }
}
