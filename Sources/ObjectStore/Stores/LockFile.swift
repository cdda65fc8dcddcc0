internal import Platform
internal import Synchronization

/// The lock file beside a store. The process that has the store open holds the lock.
///
/// The lock file is in the directory of the store's file itself, not in that of a symbolic link to it. A file
/// has one lock, not one for each of its names.
///
/// The kernel releases the lock when the process ends, so nothing has to be cleaned up after a crash. The
/// lock file stays, except that a lock file created by this lock is removed with it unless `keep` is called.
/// The file of the store is locked too, because the lock file could be removed.
final class LockFile: Sendable {
    /// The lock file, or `nil` if there is none and the store is only read.
    private let file: FileDescriptor?
    /// The lock file to remove when the lock is released, or `nil` if it stays.
    private let fileToRemove: Mutex<String?>
    /// The lock on the file of the store, or `nil` if there is no file yet or it cannot be locked.
    private let storeLock = Mutex<FileLock?>(nil)

    /// Locks the store at `path`.
    ///
    /// - Throws: a `StoreError`. If another process has the lock, the message names that process.
    init(of path: String) throws(StoreError) {
        var file = try Self.lock(path)
        var status = try? file.status()
        // Its holder removed the file between the two calls, and another program may have created a new one.
        while status?.nameCount == 0 {
            file = try Self.lock(path)
            status = try? file.status()
        }
        // A lock file that is not empty has the process ID of an earlier holder, so this call did not create it.
        fileToRemove = Mutex(status?.size == 0 ? Self.path(of: path) : nil)
        self.file = consume file
        try holdStore(at: path)
        try? self.file?.truncate()
        try? self.file?.write(Array("\(Environment.processID)\n".utf8)[...], at: 0)
    }

    private static func path(of path: String) -> String { FileSystem.target(path) + ".lock" }

    /// Locks the file of the store itself, after it was created or replaced.
    ///
    /// - Throws: a `StoreError` if another program has locked it.
    func holdStore(at path: String) throws(StoreError) {
        let place = FileSystem.target(path)
        switch FileLock.lock(place) {
        case .held(let lock): hold(lock)
        case .impossible: break
        case .failed(let error): throw StoreError(error, "it cannot be locked", path: path)
        case .refused:
            // Readers share the lock, a writer does not.
            let isRead = if case .held = FileLock.lock(place, isShared: true) { true } else { false }
            throw StoreError(
                isRead ? .locked : .inUse,
                "\(isRead ? "a program that reads it" : "another program") has the store open; stop it first",
                path: path)
        }
    }

    /// Replaces the lock on the store's file with the lock on the file that is the store from now on.
    func hold(_ lock: FileLock) {
        storeLock.withLock { $0 = lock }
    }

    /// Keeps the lock file when the lock is released, because there is a store beside it.
    func keep() {
        fileToRemove.withLock { $0 = nil }
    }

    private static func lock(_ path: String) throws(StoreError) -> FileDescriptor {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(
                opening: Self.path(of: path), for: .readingAndWriting,
                [.creates, .refusesLinks, .doesNotWait])
        } catch {
            let advice =
                error.isReadOnly
                ? "; its disk has to be writable" : error.isFull ? "; make room on its disk" : ""
            throw StoreError(error, "its lock file cannot be created\(advice)", path: path)
        }
        do throws(SystemError) {
            if try file.lock() { return file }
        } catch {
            throw StoreError(error, "it cannot be locked", path: path)
        }
        let holder = holder(file)
        let advice =
            holder.name == process(Environment.processID)
            ? ", which is this one; use that coordinator, or close it first" : "; stop it first"
        throw StoreError(holder.code, "\(holder.name) has the store open" + advice, path: path)
    }

    /// Locks the store at `path` together with other readers, or returns `nil` if a program has it open for writing.
    ///
    /// Nothing is created or written. If there is no lock file, only the file of the store is locked.
    static func share(_ path: String) -> Sharing? {
        let lock: LockFile
        do throws(SystemError) {
            let file = try FileDescriptor(
                opening: Self.path(of: path), for: .reading, [.refusesLinks, .doesNotWait])
            guard let isLocked = try? file.lock(isShared: true), isLocked else { return nil }
            lock = LockFile(file)
        } catch {
            lock = LockFile(nil)
        }
        switch FileLock.lock(FileSystem.target(path), isShared: true) {
        case .held(let storeLock): lock.hold(storeLock)
        case .impossible, .failed: break
        case .refused: return nil
        }
        return Sharing(lock: lock)
    }

    struct Sharing {
        let lock: LockFile?
    }

    private init(_ file: consuming FileDescriptor?) {
        self.file = file
        fileToRemove = Mutex(nil)
    }

    deinit {
        if let path = fileToRemove.withLock({ $0 }) { try? FileSystem.remove(path) }
        // A child process that is just being started has a copy of the descriptor. Closing ours alone would
        // leave the file locked.
        file?.unlock()
    }

    /// Returns the name of the program that has the lock file, and the code of the error if it keeps others out.
    private static func holder(_ file: borrowing FileDescriptor) -> (name: String, code: StoreError.Code) {
        // A reader has a shared lock and does not write its process ID.
        if (try? file.lock(isShared: true)) == true { return ("a program that reads it", .locked) }
        let bytes = (try? file.bytes(count: 32, at: 0)) ?? []
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return (Int32(String(decoding: digits, as: UTF8.self)).map(process) ?? "another process", .inUse)
    }

    private static func process(_ number: Int32) -> String { "the process \(number)" }
}
