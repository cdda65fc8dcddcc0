import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestServers
import TestSupport
import Testing

/// The kinds of store that have to behave alike.
enum TestedStore: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, sqliteInMemory, postgresql, xml, binary, memory, lines, custom

    /// The kinds that keep their objects in a file.
    static let inFiles: [TestedStore] = [.sqlite, .xml, .binary]
    /// The kinds that write their file as a whole.
    static let wholeFiles: [TestedStore] = [.xml, .binary]

    var testDescription: String { rawValue }

    func path(in directory: TemporaryStore) -> String {
        guard self == .postgresql else { return "\(directory.directory)/library.\(rawValue)" }
        return directory.postgresql.path ?? ""
    }

    func open(in directory: TemporaryStore, _ model: ManagedObjectModel? = nil) throws -> any PersistentStore
    {
        try open(path(in: directory), model ?? Library.model())
    }

    func open(_ path: String, _ model: ManagedObjectModel) throws -> any PersistentStore {
        guard let storeKind else { return SnapshotStore(model: model) }
        return try StoreConfiguration(storeKind, path: path).open(model)
    }

    /// The kind, or `nil` if the store is opened by the program itself.
    var storeKind: StoreKind? {
        switch self {
        case .sqlite: .sqlite
        case .sqliteInMemory: .sqliteInMemory
        case .postgresql: .postgresql
        case .xml: .xml
        case .binary: .binary
        case .memory: .memory
        case .lines: .lines
        case .custom: nil
        }
    }

    func context(in directory: TemporaryStore, _ model: ManagedObjectModel? = nil) throws
        -> ManagedObjectContext
    {
        let model = try model ?? Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(open(in: directory, model))
        return ManagedObjectContext(coordinator: coordinator)
    }
}

extension ManagedObjectContext {
    var store: any PersistentStore {
        get throws { try #require(coordinator.store) }
    }
}

extension TestedStore {
    /// A context with a store of five books, two of them with covers, two publishers and two authors.
    func shelf(in directory: TemporaryStore) throws -> ManagedObjectContext {
        let context = try context(in: directory)
        let publishers = try ["Murray", "Egerton"].map { name in
            let publisher = try context.insert(Publisher.self)
            publisher.name = name
            return publisher
        }
        let authors = try ["Jane", "Cassandra"].map { name in
            let author = try context.insert(Author.self)
            author.name = name
            return author
        }
        let books: [(title: String, pages: Int, rating: Double?, publisher: Publisher?)] = [
            ("Emma", 474, 4.5, publishers[0]), ("emma", 12, nil, nil), ("Persuasion", 249, 4, publishers[0]),
            ("Mansfield Park", 480, 3.5, publishers[1]), ("\u{C9}ire", 7, 1, nil),
        ]
        for (index, values) in books.enumerated() {
            let book = try context.insert(Book.self)
            book.title = values.title
            book.pages = values.pages
            book.rating = values.rating
            book.publisher = values.publisher
            book.published = values.rating.map { Timestamp(secondsSince1970: -1e9 * $0) }
            if values.publisher != nil { book.authors.insert(authors[0]) }
            if index == 4 { book.authors.insert(authors[1]) }
            if index < 2 {
                let cover = try context.insert(Cover.self)
                cover.image = [UInt8(index)]
                book.cover = cover
            }
        }
        try context.save()
        return context
    }
}
