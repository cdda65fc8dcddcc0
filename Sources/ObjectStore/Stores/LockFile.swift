internal import Glibc
internal import Synchronization

/// The file beside a store that says who has it open.
///
/// It is beside the file itself, whatever links lead there: a file has one lock, not one for each of its names.
///
/// The kernel holds the lock as long as the process lives, so a crash leaves nothing to clean up; the file
/// stays. One that was made for this lock goes with it, unless `keep` is called. The store itself is locked too, because
/// the lock file could be removed.
final class LockFile: Sendable {
    private let descriptor: Int32
    /// The file that goes with the lock; nil when it stays.
    private let fileToRemove: Mutex<String?>
    /// The store itself; nil while there is none, and where it cannot be locked.
    private let heldFile: Mutex<HeldFile?>

    /// Takes the lock of the store at `path`, or throws an error that names the process which has it.
    init(of path: String) throws(StoreError) {
        var status = stat()
        var locked: Int32
        repeat {
            locked = try Self.lock(path)
            _ = fstat(locked, &status)
            // Its holder has removed it in the moment between the two calls: another program may have made a new one.
            if status.st_nlink == 0 { _ = Glibc.close(locked) }
        } while status.st_nlink == 0
        descriptor = locked
        // The last holder of the lock has left its number.
        fileToRemove = Mutex(status.st_size == 0 ? Self.file(of: path) : nil)
        heldFile = Mutex(nil)
        try holdStore(at: path)
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    private static func file(of path: String) -> String { FileSystem.target(path) + ".lock" }

    /// Locks the store itself, which has been made or replaced since.
    func holdStore(at path: String) throws(StoreError) {
        switch HeldFile.lock(FileSystem.target(path)) {
        case .held(let file): hold(file)
        case .impossible: break
        case .refused:
            throw StoreError(
                .locked, "another program has the store open; stop it first", path: path)
        }
    }

    /// Keeps the lock of the file that is the store from now on.
    func hold(_ file: HeldFile) {
        heldFile.withLock { $0 = file }
    }

    /// Leaves the file where it is: there is a store beside it.
    func keep() {
        fileToRemove.withLock { $0 = nil }
    }

    private static func lock(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = open(file(of: path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let advice =
                switch errno {
                case EROFS: "; its disk has to be writable"
                case ENOSPC, EDQUOT: "; make room on its disk"
                default: ""
                }
            throw FileSystem.error(errno, "its lock file cannot be made\(advice)", path: path)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = holder(descriptor)
            _ = Glibc.close(descriptor)
            guard code == EWOULDBLOCK else { throw FileSystem.error(code, "it cannot be locked", path: path) }
            let advice =
                holder == Self.process(getpid())
                ? ", which is this one; use that coordinator, or close it first" : "; stop it first"
            throw StoreError(.locked, "\(holder) has the store open" + advice, path: path)
        }
        return descriptor
    }

    /// Shares the lock of the store at `path` with others who read it; nil when somebody has it for writing.
    ///
    /// Nothing is made or written: where there is no lock file, there is nothing to share.
    static func share(_ path: String) -> Sharing? {
        let descriptor = open(file(of: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor < 0 || flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
            _ = Glibc.close(descriptor)
            return nil
        }
        let lock = LockFile(descriptor)
        switch HeldFile.lock(FileSystem.target(path), shared: true) {
        case .held(let file): lock.hold(file)
        case .impossible: break
        case .refused: return nil
        }
        return Sharing(lock: lock)
    }

    struct Sharing {
        let lock: LockFile?
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        fileToRemove = Mutex(nil)
        heldFile = Mutex(nil)
    }

    deinit {
        guard descriptor >= 0 else { return }
        if let path = fileToRemove.withLock({ $0 }) { unlink(path) }
        // A process that is just being started has a copy of the descriptor for a moment, which closing ours
        // would leave locked.
        _ = flock(descriptor, LOCK_UN)
        _ = Glibc.close(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> String {
        // Who only reads does not leave its number.
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return "a program that reads it" }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(count, 0)).prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        return Int32(String(decoding: digits, as: UTF8.self)).map(process) ?? "another process"
    }

    private static func process(_ number: Int32) -> String { "the process \(number)" }
}
