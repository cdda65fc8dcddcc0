internal import Glibc
internal import ObjectStore
internal import TodoAPI
internal import Varlink

/// The store that the daemon opened last, recorded for each configuration in a file of the state directory.
///
/// When a wrong line leaves open which store holds the items, the daemon continues with that one.
struct StoreRecord {
    /// The configurations that are recorded. The oldest is forgotten first.
    private static let entriesLimit = 16

    private struct Entry: NamedBody, Hashable {
        static let varlinkType = "Store"

        /// The file or directory of the configuration.
        var configuration = ""
        var kind = ""
        var path = ""

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("configuration", &configuration)
            try fields.field("kind", &kind)
            try fields.field("path", &path)
        }
    }

    private struct Contents: MessageBody {
        var stores: [Entry] = []

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("stores", &stores)
        }
    }

    let path: String
    /// The file or directory of the configuration.
    let configuration: String

    /// The store that was opened last, or `nil` if none is recorded.
    var store: StoreConfiguration? {
        guard let entry = entries.last(where: { $0.configuration == configuration }),
            let kind = StoreKind(rawValue: entry.kind), kind != .memory
        else { return nil }
        return StoreConfiguration(kind, path: entry.path)
    }

    /// Records the store. Nothing is written if it is recorded already. If that fails, the file is removed: a record of another
    /// store would be worse than none.
    func record(_ store: StoreConfiguration) throws(SystemError) {
        guard let storePath = store.path, self.store != store else { return }
        var entries = entries.filter { $0.configuration != configuration }
        entries.append(.init(configuration: configuration, kind: store.kind.rawValue, path: storePath))
        var writer = JSONWriter()
        let contents = Contents(stores: entries.suffix(Self.entriesLimit))
        writer.object { FieldWriter.write(contents, to: &$0) }
        do {
            try SmallFile.replace(path, with: writer.bytes)
        } catch {
            unlink(path)
            throw error
        }
    }

    private var entries: [Entry] {
        guard let bytes = SmallFile.read(path), case .object(let object)? = try? JSONParser.parse(bytes),
            let contents = try? FieldReader.read(Contents.self, from: object)
        else { return [] }
        return contents.stores
    }
}
