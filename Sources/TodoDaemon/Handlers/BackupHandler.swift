internal import Dispatch
internal import Glibc
internal import ObjectStore
internal import TodoAPI

/// Copies the store on a queue of its own; meanwhile everything else goes on.
struct BackupHandler: Handler {
    let workspace: Workspace
    /// Where the store is; nil for one in memory.
    let store: StoreConfiguration

    private let copying = DispatchQueue(label: "todod.backup")

    init(workspace: Workspace, store: StoreConfiguration) {
        self.workspace = workspace
        self.store = store
    }

    func handle(_ parameters: Backup.Parameters, _ answer: Answer<Backup>) throws {
        let path = parameters.path
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw APIError.invalidValue(field: "path", reason: "it does not begin with /")
        }
        guard access(path, F_OK) != 0 else {
            throw APIError.invalidValue(field: "path", reason: "the file exists already; choose another name")
        }
        guard let source = store.path, store.kind == .sqlite else {
            throw APIError.invalidValue(
                field: "path",
                reason:
                    "only a store in an SQLite database is copied while it is in use; copy this one's file")
        }
        let waiting = QueueConfined(answer, to: workspace.queue)
        copying.async {
            let result = Result { try Self.copy(source, to: path) }
            waiting.async { answer in
                switch result {
                case .success(let bytes): answer.reply(.init(path: path, bytes: bytes))
                case .failure(let error): answer.fail(error)
                }
            }
        }
    }

    /// Makes the copy and reads all of it; one that is not sound is taken away again.
    private static func copy(_ source: String, to path: String) throws -> Int64 {
        try SQLiteBackup.copy(source, to: path)
        if let problem = try SQLiteBackup.problems(of: path).first {
            unlink(path)
            throw StoreError(.damaged, "the copy is not sound and was taken away: \(problem)", path: path)
        }
        var file = stat()
        return stat(path, &file) == 0 ? Int64(file.st_size) : 0
    }
}
