/// An error from opening, reading or writing a store.
public struct StoreError: Error, CustomStringConvertible {
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
        /// Another process or a background writer has the store open.
        case locked
        /// The file system has no space left.
        case full
        case readOnly
        /// The file cannot be reached: a directory, permissions, a failing disk.
        case unreachable
        /// A reference leads to an object that is not in the store.
        case danglingReference
        /// The coordinator has no store that could keep the object.
        case noStore
        /// A relationship would lead from one store to another.
        case crossStore
        /// An earlier read failed, so the objects of the context may be incomplete.
        case contextFailed
        case other
    }

    public let code: Code
    /// The problem, the object or store that it concerns, and the next step for the user.
    public let message: String
    public let path: String?
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, path: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.cause = cause
    }

    public var description: String {
        let place = path.map { "\($0): " } ?? ""
        let reason = cause.map { " (\($0))" } ?? ""
        return place + message + reason
    }
}
