/// An error from opening, reading or writing a store.
public struct StoreError: Error, CustomStringConvertible {
    /// The kind of the error.
    public enum Code: String, Hashable, Sendable {
        /// The file is not a database.
        case notADatabase
        /// The file belongs to another program.
        case foreign
        /// The file was written by a newer version of this library.
        case newer
        /// The file was written with another model.
        case modelMismatch
        /// Part of the file cannot be read.
        case damaged
        /// The file was removed or replaced while it was open.
        case replaced
        /// Another process, or another coordinator of this one, has the store open for writing.
        case inUse
        /// Another program is reading the store or has locked the database. The same call may succeed later.
        case locked
        /// A search index of a database is damaged or was removed. The objects are not affected. A search works without
        /// the index, and the next save makes it again.
        case searchIndex
        /// A background writer of the same coordinator is changing the store. A save succeeds after its end.
        case backgroundWriter
        /// The file system has no space left.
        case full
        /// The store was added read-only, or its disk is.
        case readOnly
        /// The file cannot be reached: a directory, permissions, a failing disk.
        case unreachable
        /// The connection to the server was lost during a COMMIT, and the server could not be asked whether the save
        /// succeeded.
        case inDoubt
        /// A reference leads to an object that is not in the store.
        case danglingReference
        /// The coordinator has no store that could keep the object.
        case noStore
        /// A relationship would lead from one store to another.
        case crossStore
        /// The store does not record its history, or its kind cannot.
        case noHistory
        /// The history does not have the transaction of a token: it was purged, or the store was restored.
        case historyLost
        /// An earlier read failed, so the objects of the context may be incomplete.
        case contextFailed
        /// The call is not allowed with these arguments or at this time, such as a store that is added inside of a
        /// batch. It is a mistake of the program, and trying again does not help.
        case misuse
        /// Any other reason. The message has it.
        case other
    }

    /// The kind of the error.
    public internal(set) var code: Code
    /// The problem, the object or store that it concerns, and the next step for the user.
    public let message: String
    /// The path of the store, or `nil` if there is none.
    public internal(set) var path: String?
    /// The error of a lower layer, or `nil` if there is none.
    public internal(set) var cause: (any Error)?
    /// Whether the message ends with the advice to restore a backup.
    public private(set) var advisesRestoration = false

    /// Creates an error, for a store that you implement.
    public init(_ code: Code, _ message: String, path: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.cause = cause
    }

    /// Creates an error whose message ends with the advice to restore a backup.
    ///
    /// - Parameter message: the message up to the advice, such as `the file is empty;`.
    /// - Parameter backup: the backup to restore, in words.
    package init(
        _ code: Code, _ message: String, restoring backup: String, path: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.init(code, "\(message) restore \(backup)", path: path, cause: cause)
        advisesRestoration = true
    }

    public var description: String { text(advice: "") }

    /// Returns the description with the command that restores a backup, if the error advises that.
    public func description(restoringWith command: String) -> String {
        text(advice: advisesRestoration ? " with '\(command)'" : "")
    }

    private func text(advice: String) -> String {
        let place = path.map { "\($0): " } ?? ""
        let reason = cause.map { " (\($0))" } ?? ""
        return place + message + advice + reason
    }
}
