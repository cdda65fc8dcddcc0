import Foundation
import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// A document that is written in chunks equals the file of an XML store.
@Suite struct XMLDocumentStreamTests {
    let directory = TemporaryStore()

    private func stream(_ context: ManagedObjectContext) throws -> XMLDocumentStream {
        try XMLDocumentStream(of: context.store, model: context.model)
    }

    private func pieces(_ stream: XMLDocumentStream) throws -> [String] {
        var pieces: [String] = []
        while let piece = try stream.next() { pieces.append(piece) }
        #expect(stream.isAtEnd)
        return pieces
    }

    /// The document that results when the store is rewritten as an XML file.
    private func document(_ context: ManagedObjectContext) throws -> String {
        let path = "\(directory.directory)/document"
        try context.coordinator.migrate(store: context.store, to: .xml(path: path))
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test(arguments: TestedStore.allCases)
    func documentHasEveryValueAndReference(kind: TestedStore) throws {
        let context = try kind.context(in: directory, Sample.model())
        try Sample.fill(context)
        try context.store.setMetadataEntries(["lead": "300"])
        let text = try pieces(stream(context)).joined()
        #expect(try text == document(context))
    }

    @Test(arguments: TestedStore.allCases)
    func documentHasEveryEntity(kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let text = try pieces(stream(context)).joined()
        #expect(try text == document(context))
    }

    @Test(arguments: TestedStore.allCases)
    func documentHasStateOfItsBeginning(kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try pieces(stream(context)).joined()
        let stream = try stream(context)
        let book = try #require(try context.fetch(FetchRequest<Book>()).first)
        book.title = "Lady Susan"
        book.publisher = nil
        book.authors.replace(with: [])
        try context.insert(Publisher.self).name = "Bentley"
        try context.save()
        #expect(try pieces(stream).joined() == before)
        #expect(try pieces(self.stream(context)).joined() != before)
    }

    /// A publisher with very many books is split into several chunks.
    @Test func chunksAreShortForManyMembers() throws {
        let context = try TestedStore.sqlite.context(in: directory)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        for number in 1...20_000 {
            let book = try context.insert(Book.self)
            book.title = "\(number)"
            book.publisher = publisher
        }
        try context.save()
        let pieces = try pieces(stream(context))
        #expect(pieces.allSatisfy { $0.utf8.count < 80 << 10 })
        #expect(try pieces.joined() == document(context))
    }

    @Test func referencedEntityCannotBeOmitted() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        #expect(throws: StoreError.self) {
            try XMLDocumentStream(of: context.store, model: context.model, without: ["Author"])
        }
    }
}
