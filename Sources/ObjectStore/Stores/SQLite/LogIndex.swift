/// The header of the index of a log; see "WAL-Index Format" in SQLite's documentation.
struct LogIndex: Equatable {
    private static let size = 48
    /// The size of the beginning of the index, which has the header twice and the state of checkpoints.
    static let beginningSize = 136

    /// The number of changes that were saved since the index was made.
    let changes: UInt32
    /// The number of frames of the log that SQLite reads.
    let frames: Int
    /// The checksum of the last frame.
    let checksum: LogCheck.Checksum
    /// The two random numbers in the header of the log and in each of its frames.
    let salts: [UInt8]

    /// Reads the header from the beginning of the index. Returns `nil` while a connection writes it.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.beginningSize, bytes[..<Self.size] == bytes[Self.size..<2 * Self.size],
            bytes[12] != 0
        else { return nil }
        func number(_ offset: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
        changes = number(8)
        frames = Int(number(16))
        checksum = LogCheck.Checksum(first: number(24), second: number(28))
        salts = Array(bytes[32..<40])
    }

    /// Whether this header can follow `earlier` in the index of one log.
    ///
    /// Frames are only added until the log begins again, and then it has other salts. The number of changes grows.
    func canFollow(_ earlier: LogIndex) -> Bool {
        salts == earlier.salts ? frames >= earlier.frames : changes >= earlier.changes
    }
}

extension OpenFile {
    /// Returns the beginning of the index of a log.
    func logIndex() -> [UInt8] { beginning(count: LogIndex.beginningSize) }
}
