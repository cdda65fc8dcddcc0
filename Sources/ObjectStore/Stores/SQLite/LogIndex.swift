/// The beginning of the index of a log, as it was at one moment; see "WAL-Index Format" in SQLite's documentation.
struct LogIndexReading {
    private static let size = 136

    /// The header, or `nil` while a connection writes it.
    let header: LogIndex?
    let checkpoint: LogCheckpoint

    /// Reads the index. Returns `nil` if it is too short or cannot be read.
    init?(_ index: OpenFile) {
        let reading = withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
            index.read(into: bytes) == Self.size
                ? (LogIndex(UnsafeRawBufferPointer(bytes)), LogCheckpoint(UnsafeRawBufferPointer(bytes)))
                : nil
        }
        guard let reading else { return nil }
        (header, checkpoint) = reading
    }
}

/// The header of the index of a log.
struct LogIndex: Equatable {
    private static let size = 48

    /// The number of changes that were saved since the index was made.
    let changes: UInt32
    /// The size of a page of the database.
    let pageSize: Int
    /// The number of frames of the log that SQLite reads.
    let frames: Int
    /// The checksum of the last frame.
    let checksum: LogCheck.Checksum
    /// The two random numbers in the header of the log and in each of its frames.
    let salts: LogSalts

    /// Reads the header, which the index has twice.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes[..<Self.size].elementsEqual(bytes[Self.size..<2 * Self.size]), bytes[12] != 0 else {
            return nil
        }
        changes = bytes.load(fromByteOffset: 8, as: UInt32.self)
        // The size is stored in 16 bits, and 65,536 as 1.
        let size = Int(bytes.load(fromByteOffset: 14, as: UInt16.self))
        pageSize = size == 1 ? 65_536 : size
        frames = Int(bytes.load(fromByteOffset: 16, as: UInt32.self))
        checksum = LogCheck.Checksum(
            first: bytes.load(fromByteOffset: 24, as: UInt32.self),
            second: bytes.load(fromByteOffset: 28, as: UInt32.self))
        salts = LogSalts(bytes[32..<40])
    }

    /// Whether this header can follow `earlier` in the index of one log.
    ///
    /// Frames are only added until the log begins again, and then it has other salts. The number of changes grows.
    func canFollow(_ earlier: LogIndex) -> Bool {
        salts == earlier.salts ? frames >= earlier.frames : changes >= earlier.changes
    }
}

/// The fields of the index of a log that change with each checkpoint.
struct LogCheckpoint: Equatable {
    private let salts: LogSalts
    /// The number of frames of the log that are in the database.
    private let done: UInt32
    /// The number of frames that the last checkpoint tried to write into the database.
    private let attempted: UInt32

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        salts = LogSalts(bytes[32..<40])
        done = bytes.load(fromByteOffset: 96, as: UInt32.self)
        attempted = bytes.load(fromByteOffset: 128, as: UInt32.self)
    }

    /// Whether a checkpoint is writing pages or has failed.
    var isInProgress: Bool { done != attempted }
}

/// Two random numbers that all frames of one log have.
struct LogSalts: Equatable {
    private var bytes: UInt64 = 0

    /// Reads eight bytes.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { self.bytes = self.bytes << 8 | UInt64(byte) }
    }
}
