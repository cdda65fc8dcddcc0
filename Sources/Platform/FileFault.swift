internal import Synchronization

/// A failure of the file system that a test injects.
///
/// Programs inject none, and each operation then costs one load of an atomic number more.
package struct FileFault: Sendable {
    package enum Operation: Sendable {
        case open, status, read, write, synchronize, close, rename, remove, makeDirectory
    }

    private let operation: Operation
    private let path: String
    private let isExactPath: Bool
    private let code: Int32

    private static let count = Atomic<Int>(0)
    private static let faults = Locked<[FileFault]>([])

    /// Makes an operation fail while `body` runs, on any thread.
    ///
    /// - Parameters:
    ///   - path: the path of the file, or the beginning of the paths of several.
    ///   - isExactPath: whether the operation fails for the file with exactly this path.
    ///   - code: the error number that the operation reports.
    package static func inject<Result>(
        _ operation: Operation, at path: String, isExactPath: Bool = false, code: Int32,
        _ body: () throws -> Result
    ) rethrows -> Result {
        faults.withLock {
            $0.append(FileFault(operation: operation, path: path, isExactPath: isExactPath, code: code))
        }
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer {
            count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            faults.withLock { faults in
                faults.removeAll { $0.operation == operation && $0.path == path && $0.code == code }
            }
        }
        return try body()
    }

    /// Throws the failure that a test has injected for an operation on a file, if there is one.
    ///
    /// - Parameter attempt: the words for the operation in the error.
    static func check(
        _ operation: Operation, _ path: String, _ attempt: @autoclosure () -> String
    ) throws(SystemError) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let fault = faults.withLock { faults in
            faults.first {
                $0.operation == operation && ($0.isExactPath ? path == $0.path : path.hasPrefix($0.path))
            }
        }
        if let fault { throw SystemError(attempt(), code: fault.code) }
    }
}
