import ObjectStore

/// A library with several stores in one coordinator.
struct Branches {
    let directory = TemporaryStore()
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext

    /// - Parameter kinds: The kinds of the stores, in the order in which they are added.
    init(_ kinds: [TestedStore]) throws {
        let model = try Library.model()
        coordinator = PersistentStoreCoordinator(model: model)
        for (number, kind) in kinds.enumerated() {
            try coordinator.addStore(kind.open(Self.path(number, kind, directory), model))
        }
        context = ManagedObjectContext(coordinator: coordinator)
    }

    func path(_ number: Int, _ kind: TestedStore) -> String {
        Self.path(number, kind, directory)
    }

    private static func path(_ number: Int, _ kind: TestedStore, _ directory: TemporaryStore) -> String {
        guard kind == .postgresql else { return "\(directory.directory)/branch\(number).\(kind)" }
        return directory.postgresql(named: "-branch\(number)").path ?? ""
    }

    var stores: [any PersistentStore] { coordinator.stores }

    @discardableResult
    func insert(_ title: String, pages: Int = 0, in branch: Int) throws -> Book {
        let book = try context.insert(Book.self)
        try context.assign(book, to: stores[branch])
        book.title = title
        book.pages = pages
        return book
    }

    /// The saved titles of a store, read by another context.
    func titles(in branch: Int) throws -> [String] {
        let other = ManagedObjectContext(coordinator: coordinator)
        let request = FetchRequest<Book>(
            orderedBy: [FetchOrder("title")], affectedStores: [stores[branch].metadata.identifier])
        return try other.fetch(request).map(\.title)
    }
}
