internal import Glibc

/// The functions of libsystemd that read the journal.
///
/// The library is opened when a command needs the journal. It is not linked, because each linked library makes every
/// start of `todoctl` slower.
struct JournalLibrary {
    /// An `sd_journal`, an opaque type of libsystemd.
    typealias Handle = OpaquePointer

    let open: @convention(c) (UnsafeMutablePointer<Handle?>, Int32) -> Int32
    let close: @convention(c) (Handle) -> Void
    let addMatch: @convention(c) (Handle, UnsafeRawPointer, Int) -> Int32
    let seekTime: @convention(c) (Handle, UInt64) -> Int32
    let seekTail: @convention(c) (Handle) -> Int32
    let next: @convention(c) (Handle) -> Int32
    let previousSkip: @convention(c) (Handle, UInt64) -> Int32
    let time: @convention(c) (Handle, UnsafeMutablePointer<UInt64>) -> Int32
    let setDataThreshold: @convention(c) (Handle, Int) -> Int32
    let data:
        @convention(c) (
            Handle, UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>
        ) -> Int32
    let descriptor: @convention(c) (Handle) -> Int32
    let process: @convention(c) (Handle) -> Int32
    let hasPersistentFiles: @convention(c) (Handle) -> Int32
    let hasRuntimeFiles: @convention(c) (Handle) -> Int32

    init() throws(ClientError) {
        let library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL)
        func load<Function>(_ name: String) throws(ClientError) -> Function {
            guard let library, let address = dlsym(library, "sd_journal_" + name) else {
                throw .refused(
                    "todoctl: cannot read the journal: libsystemd is not installed (libsystemd.so.0)"
                )
            }
            return unsafeBitCast(address, to: Function.self)
        }
        open = try load("open")
        close = try load("close")
        addMatch = try load("add_match")
        seekTime = try load("seek_realtime_usec")
        seekTail = try load("seek_tail")
        next = try load("next")
        previousSkip = try load("previous_skip")
        time = try load("get_realtime_usec")
        setDataThreshold = try load("set_data_threshold")
        data = try load("get_data")
        descriptor = try load("get_fd")
        process = try load("process")
        hasPersistentFiles = try load("has_persistent_files")
        hasRuntimeFiles = try load("has_runtime_files")
    }
}
