internal import Platform

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
    private let fileToRemove: Locked<String?>
    /// The lock on the file of the store, or `nil` if there is no file yet or it cannot be locked.
    private let storeLock = Locked<FileLock?>(nil)
    /// Whether no other program had the store open when it was opened to be shared.
    let isAlone: Bool
    /// Whether the lock file of a store to be shared did not exist before.
    private let isNew: Bool
    /// The lock file, if the store is shared with other programs.
    private let stamp: FileStamp?
    /// The lock files of the stores that this process shares with other programs.
    private static let shared = Locked<[FileStamp]>([])
    /// Whether this lock file is among them.
    private let isListed = Locked(false)

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
        fileToRemove = Locked(status?.size == 0 ? Self.path(of: path) : nil)
        self.file = consume file
        (isAlone, isNew) = (true, false)
        stamp = nil
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

    private static func lock(
        _ path: String, isShared: Bool = false
    ) throws(StoreError) -> FileDescriptor {
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
            if try file.lock(isShared: isShared) { return file }
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
            try? file.lock(SharedLock.readers, isShared: true)
            guard !file.isLockedByOthers(SharedLock.writers) else { return nil }
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
        (isAlone, isNew) = (true, false)
        stamp = nil
        fileToRemove = Locked(nil)
    }

    // MARK: - Several programs that write

    /// Locks the store at `path` together with other programs that share it. They wait for each other until
    /// `endOpening`.
    ///
    /// - Throws: a `StoreError` if a program has the store open alone or reads it, or if this process shares it already.
    init(sharing path: String) throws(StoreError) {
        var file = try Self.lock(path, isShared: true)
        // A program that could not open the store has removed the file.
        while (try? file.status())?.nameCount == 0 { file = try Self.lock(path, isShared: true) }
        let isRead: Bool
        do throws(SystemError) {
            try file.lock(SharedLock.opening)
            let stamp = try file.status().stamp
            self.stamp = stamp
            isNew = stamp.isEmpty
            isAlone = !file.isLockedByOthers(SharedLock.writers)
            try file.lock(SharedLock.writers, isShared: true)
            isRead = file.isLockedByOthers(SharedLock.readers)
            if isAlone {
                try file.truncate()
                try file.write(Array("shared\n".utf8)[...], at: 0)
            }
        } catch {
            throw StoreError(error, "it cannot be locked", path: path)
        }
        fileToRemove = Locked(nil)
        self.file = consume file
        try addShared(path)
        guard !isRead else { throw Self.read(path) }
        try shareStore(at: path)
    }

    /// Locks the file of the store itself together with other programs, after it was created or when it is opened.
    func shareStore(at path: String) throws(StoreError) {
        let place = FileSystem.target(path)
        guard FileSystem.exists(place) else { return }
        // A reader that found no lock file has a lock on the store only.
        switch FileLock.lock(place, isShared: !isNew) {
        case .held(let lock):
            lock.share()
            hold(lock)
        case .failed(let error): throw StoreError(error, "it cannot be locked", path: path)
        case .impossible: throw StoreError(.other, "its file system does not support locks", path: path)
        case .refused: throw Self.read(path)
        }
    }

    private static func read(_ path: String) -> StoreError {
        StoreError(.locked, "a program that reads it has the store open; stop it first", path: path)
    }

    /// Lets the next program open the store.
    func endOpening() {
        file?.unlock(SharedLock.opening)
    }

    /// Reserves IDs of an entity, so that no other program gets them.
    ///
    /// The largest reserved IDs are in the lock file. They do not have to be on disk: after a loss of power there are no
    /// programs that could have used them.
    ///
    /// - Parameters:
    ///   - slot: The number of the entity, the same in all programs.
    ///   - floor: The largest ID in the store.
    /// - Returns: The IDs, or `nil` if there are not so many.
    func reserveIDs(
        _ count: Int64, slot: Int, above floor: Int64
    ) throws(SystemError) -> ClosedRange<Int64>? {
        try file?.lock(SharedLock.ids)
        defer { file?.unlock(SharedLock.ids) }
        let place = SharedLock.firstSlot + slot * 8
        let bytes = try file?.bytes(count: 8, at: place) ?? []
        let recorded = bytes.count == 8 ? bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } : 0
        let last = max(recorded, floor)
        let (end, isTooLarge) = last.addingReportingOverflow(count)
        guard !isTooLarge else { return nil }
        try file?.write((0..<8).map { UInt8(truncatingIfNeeded: end >> (8 * $0)) }[...], at: place)
        return last + 1...end
    }

    /// Whether this process shares the store at `path` with other programs.
    static func isSharedHere(_ path: String) -> Bool {
        guard let stamp = try? FileStamp(of: Self.path(of: path)) else { return false }
        return shared.withLock { $0.contains { $0.isSameFile(as: stamp) } }
    }

    /// Records that this process shares the store with this lock file.
    ///
    /// SQLite would lose its locks if this process opened the file twice and closed it once.
    private func addShared(_ path: String) throws(StoreError) {
        guard let stamp else { return }
        let isNew = Self.shared.withLock { shared in
            if shared.contains(where: { $0.isSameFile(as: stamp) }) { return false }
            shared.append(stamp)
            return true
        }
        isListed.withLock { $0 = isNew }
        guard !isNew else { return }
        throw StoreError(
            .inUse, "this process shares the store already; use that coordinator, or close it first",
            path: path)
    }

    deinit {
        if let stamp, isListed.withLock({ $0 }) {
            Self.shared.withLock { $0.removeAll { $0.isSameFile(as: stamp) } }
        }
        // The next program that finds no writer expects the store to be unlocked.
        storeLock.withLock { $0 = nil }
        for byte in [SharedLock.opening, SharedLock.writers, SharedLock.readers] { file?.unlock(byte) }
        if let path = fileToRemove.withLock({ $0 }) { try? FileSystem.remove(path) }
        // A child process that is just being started has a copy of the descriptor. Closing ours alone would
        // leave the file locked.
        file?.unlock()
    }

    /// Returns the name of the program that has the lock file, and the code of the error if it keeps others out.
    private static func holder(_ file: borrowing FileDescriptor) -> (name: String, code: StoreError.Code) {
        if file.isLockedByOthers(SharedLock.writers) { return ("a program that shares it", .inUse) }
        // A reader has a shared lock and does not write its process ID.
        if (try? file.lock(isShared: true)) == true { return ("a program that reads it", .locked) }
        let bytes = (try? file.bytes(count: 32, at: 0)) ?? []
        let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return (Int32(String(decoding: digits, as: UTF8.self)).map(process) ?? "another process", .inUse)
    }

    private static func process(_ number: Int32) -> String { "the process \(number)" }
}

/// The bytes of the lock file that programs which share a store lock, and the place of its table of IDs.
private enum SharedLock {
    /// Locked by the program that opens the store.
    static let opening = LockByte(number: 1)
    /// Shared by all programs that have the store open.
    static let writers = LockByte(number: 2)
    /// Shared by programs that read the store while no program writes it.
    static let readers = LockByte(number: 4)
    /// Locked by the program that reserves IDs.
    static let ids = LockByte(number: 3)
    /// The offset of the largest reserved ID of the first entity.
    static let firstSlot = 64
}
