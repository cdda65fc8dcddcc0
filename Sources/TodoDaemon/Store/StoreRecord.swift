internal import ObjectStore
internal import Platform
internal import TodoAPI
internal import TodoService
internal import Varlink

/// The store that the daemon opened last with one configuration. Each configuration has its own file in the state
/// directory.
///
/// If a wrong line leaves open which store holds the items, the daemon continues with this one.
struct StoreRecord {
    private struct Contents: MessageBody {
        var kind = ""
        var path = ""
        /// The kind and the path of the store that was used before a new one, or `nil` if no warning needs it.
        var previousKind: String?
        var previousPath: String?

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("kind", &kind)
            try fields.field("path", &path)
            try fields.field("previousKind", &previousKind)
            try fields.field("previousPath", &previousPath)
        }
    }

    /// The maximum number of bytes in a name without its extension. A longer name is replaced by its hash.
    ///
    /// File names have at most 255 bytes.
    private static let nameBytesLimit = 240

    let path: String
    /// The file or directory of the configuration.
    let configuration: String

    init(of configuration: String, in stateDirectory: String) {
        self.configuration = configuration
        var name = configuration.unicodeScalars.map { $0 == "/" ? "%2F" : $0 == "%" ? "%25" : String($0) }
            .joined()
        if name.utf8.count > Self.nameBytesLimit { name = SHA256.hexadecimal(of: configuration) }
        path = "\(stateDirectory)/stores/\(name).json"
    }

    /// The store that was opened last, or `nil` if none is recorded or the record cannot be read.
    var store: StoreConfiguration? {
        (try? read()).flatMap { Self.store(ofKind: $0.kind, path: $0.path) }
    }

    /// The store that was used before the last one, if that was new and had no items yet.
    var previous: StoreConfiguration? {
        (try? read()).flatMap { Self.store(ofKind: $0.previousKind, path: $0.previousPath) }
    }

    /// The reason why a record that exists cannot be read, or `nil` if it can be read or there is none.
    var damage: String? {
        do throws(Failure) {
            guard let contents = try read() else { return nil }
            return Self.store(ofKind: contents.kind, path: contents.path) == nil ? "it names no store" : nil
        } catch {
            return error.reason
        }
    }

    /// Returns the contents of the record, or `nil` if there is none.
    private func read() throws(Failure) -> Contents? {
        do {
            guard let bytes = try SmallFile.read(path) else { return nil }
            guard case .object(let object) = try JSONParser.parse(bytes) else {
                throw Failure(reason: "it is not a JSON object")
            }
            return try FieldReader.read(Contents.self, from: object)
        } catch let error as SystemError {
            throw Failure(reason: error.reason)
        } catch {
            throw Failure(reason: "\(error)")
        }
    }

    private static func store(ofKind kind: String?, path: String?) -> StoreConfiguration? {
        guard let kind = kind.flatMap(StoreKind.selectable(named:)), let path else { return nil }
        return StoreConfiguration(kind, path: path)
    }

    /// Records the store, unless it is recorded already.
    ///
    /// If it cannot be recorded, the record of another store is removed, because a wrong line would open that store.
    ///
    /// - Parameter previous: the store that was used before, if `store` is new.
    /// - Throws: an error. If that record cannot be removed either, the text of the error says so.
    func record(_ store: StoreConfiguration, after previous: StoreConfiguration? = nil) throws(Failure) {
        guard let storePath = store.path, self.store != store || self.previous != previous else { return }
        var writer = JSONWriter()
        let contents = Contents(
            kind: store.kind.name, path: storePath, previousKind: previous?.kind.name,
            previousPath: previous?.path)
        writer.object { FieldWriter.write(contents, to: &$0) }
        do {
            try SmallFile.replace(path, with: writer.bytes)
        } catch {
            // If only the directory could not be synced, the new file is in its place.
            guard let old = self.store, old != store else { throw Failure(reason: "\(error)") }
            if (try? FileSystem.remove(path)) != nil { throw Failure(reason: "\(error)") }
            throw Failure(
                reason: """
                    \(error); with a wrong line the next start would open \(old.path ?? ""). To prevent that, remove the old \
                    record:  rm \(ShellWord.quoted(path))
                    """)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        fileprivate let reason: String

        var description: String { reason }
    }
}
