internal import Alerts
internal import Dispatch
internal import ObjectStore
internal import Platform
internal import TodoAPI

/// Copies the store on its own queue, while the daemon continues its work.
struct BackupHandler: Handler {
    let service: ServiceContext

    private let copying = DispatchQueue(label: "todod.backup")
    /// Cancelled when the daemon ends, which then leaves no partial copy.
    private let cancellation = Cancellation()

    init(service: ServiceContext) { self.service = service }

    private var store: StoreConfiguration { service.store.configuration }

    func handle(_ parameters: Backup.Parameters, _ answer: Answer<Backup>) throws {
        let path = parameters.path
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw APIError.invalidValue(field: "path", reason: "it does not begin with /")
        }
        guard !FileSystem.exists(path) else {
            throw APIError.invalidValue(field: "path", reason: "the file exists already; choose another name")
        }
        let directory = FileSystem.split(path).directory
        guard FileSystem.exists(directory) else {
            throw APIError.invalidValue(
                field: "path",
                reason: "the directory \(directory) does not exist; create it, or choose another one")
        }
        guard !isReserved(path) else {
            throw APIError.invalidValue(
                field: "path",
                reason: "todod uses a file of this name for its items; choose another name"
            )
        }
        guard !isSafetyCopy(path) else {
            throw APIError.invalidValue(
                field: "path",
                reason:
                    "todod uses such names for its safety copies, and removes old ones; choose another name"
            )
        }
        let coordinator = service.store.context.coordinator
        if let error = coordinator.openingError { throw error }
        // The copy is made from the path, where another file may be now.
        if let damage = coordinator.damage, damage.code == .replaced { throw damage }
        var copyPath = path
        var kept: OfferedBackup?
        // In the sandbox of the service, this is true outside the home directory.
        let isReadOnly = FileSystem.isReadOnly(directory)
        if isReadOnly, parameters.isFetched == true, let storePath = store.path {
            let offered = OfferedBackup(of: storePath)
            answer.attachment = offered
            kept = offered
            copyPath = offered.path
        } else if isReadOnly {
            throw APIError.invalidValue(
                field: "path",
                reason: "the daemon cannot write there; as a service, it can write in your home directory")
        }
        let waiting = QueueConfined(answer, to: service.queue)
        copying.async { [store, cancellation, copyPath, kept] in
            // If the connection ends before the copy is complete, the copy is removed when this block ends.
            let result = withExtendedLifetime(kept) {
                Result { try Self.copy(store, to: copyPath, cancellation) }
            }
            waiting.async { answer in
                switch result {
                case .success(let bytes): answer.reply(.init(path: copyPath, bytes: bytes))
                case .failure(let error): answer.fail(error)
                }
            }
        }
    }

    /// Whether a copy of this name would be mistaken for a safety copy of the store, of any kind.
    private func isSafetyCopy(_ path: String) -> Bool {
        guard let storePath = store.path else { return false }
        let directory = FileSystem.split(storePath).directory
        return ([storePath] + StoreKind.selectable.map { $0.defaultPath(in: directory) })
            .contains { SafetyCopy.isReserved(path, by: $0) }
    }

    /// Whether a copy of this name would be mistaken for the store, of any kind, or for one of its files.
    private func isReserved(_ path: String) -> Bool {
        if StoreBackup.isReserved(path, by: store) { return true }
        guard let storePath = store.path else { return false }
        if OfferedBackup.isReserved(path, by: storePath) { return true }
        let place = FileSystem.split(storePath)
        return StoreKind.selectable.contains { kind in
            let other = StoreConfiguration(kind, path: kind.defaultPath(in: place.directory))
            return other.path == path || StoreBackup.isReserved(path, by: other)
        }
    }

    /// Ends a copy that is being made. Must be called outside the queue of the service, after the clients have
    /// disconnected.
    func stop() {
        dispatchPrecondition(condition: .notOnQueue(service.queue))
        cancellation.cancel()
        copying.sync {}
    }

    /// Makes the copy and returns its size. It is kept only if all of it could be read back.
    private static func copy(
        _ store: StoreConfiguration, to path: String, _ cancellation: Cancellation
    ) throws -> Int64 {
        let isWhole = try StoreBackup.copy(store, to: path) { _ in (try? cancellation.check()) != nil }
        if !isWhole { try cancellation.check() }
        return (try? FileStatus(of: path))?.size ?? 0
    }
}
