/// A check of a write-ahead log for saved changes that SQLite would drop without an error.
///
/// SQLite reads the log up to the first frame with a wrong checksum. That is right after a crash, which can
/// leave one unfinished transaction at the end. A transaction begins only when the one before is on disk. If
/// several transactions end at or after the wrong frame, the log was damaged later, and all but the last of
/// them had been saved.
struct LogCheck {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let pageSizes = 512...65536

    /// The least number of saved transactions that cannot be read because of the first wrong frame.
    let lostTransactions: Int

    /// Throws if the log beside the database at `path` has lost saved changes. No other program may write to it.
    static func requireWhole(of path: String) throws(StoreError) {
        let log = FileSystem.target(path) + "-wal"
        guard let stamp = try FileStamp(of: log), !stamp.isEmpty else { return }
        let count = try LogCheck(log).lostTransactions
        guard count > 0 else { return }
        throw StoreError(
            .damaged,
            "its log is damaged, and at least \(count) saved \(count == 1 ? "change" : "changes") in it cannot be read; "
                + "keep a copy of both files, then continue without these changes by 'PRAGMA wal_checkpoint(TRUNCATE)' in sqlite3, "
                + "or restore a backup",
            path: path)
    }

    /// Reads the log at `path`.
    init(_ path: String) throws(StoreError) {
        var bytes = Bytes(try FileReader(path))
        guard let header = try bytes.next(Self.headerSize), let log = Header(header) else {
            lostTransactions = 0
            return
        }
        // The checksum of a frame covers the frame and all earlier ones.
        var sum = Checksum(stored: header[24...])
        var isWhole = log.sum(of: header[..<24], after: Checksum()) == sum
        var ends = 0
        while let frame = try bytes.next(Self.frameHeaderSize + log.pageSize) {
            let stored = Checksum(stored: frame[16...])
            let isOfLog = frame[8..<16].elementsEqual(header[16..<24])
            let isRight =
                isOfLog && log.sum(of: frame[24...], after: log.sum(of: frame[..<8], after: sum)) == stored
            let isFirstWrong = isWhole && !isRight
            isWhole = isWhole && isRight
            if !isWhole, isRight || isFirstWrong && isOfLog, Header.number(frame[4...]) != 0 { ends += 1 }
            sum = stored
        }
        lostTransactions = max(ends - 1, 0)
    }

    private struct Header {
        let pageSize: Int
        private let isBigEndian: Bool

        init?(_ bytes: [UInt8]) {
            let magic = Self.number(bytes[...])
            pageSize = Int(Self.number(bytes[8...]))
            isBigEndian = magic & 1 == 1
            guard magic & ~1 == 0x377F_0682, LogCheck.pageSizes.contains(pageSize),
                pageSize.nonzeroBitCount == 1
            else { return nil }
        }

        static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// Returns the checksum after adding bytes. Their number is a multiple of eight.
        func sum(of bytes: ArraySlice<UInt8>, after sum: Checksum) -> Checksum {
            var sum = sum
            bytes.withUnsafeBytes { words in
                for offset in stride(from: 0, to: words.count, by: 8) {
                    sum.first &+= word(words, offset) &+ sum.second
                    sum.second &+= word(words, offset + 4) &+ sum.first
                }
            }
            return sum
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
    }

    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        init() {}

        /// Reads a checksum from the log.
        init(stored bytes: ArraySlice<UInt8>) {
            first = Header.number(bytes)
            second = Header.number(bytes.dropFirst(4))
        }
    }

    /// The bytes of a file, read in blocks of any size.
    private struct Bytes {
        private let reader: FileReader
        private var rest: ArraySlice<UInt8> = []

        init(_ reader: FileReader) { self.reader = reader }

        /// Returns the next `count` bytes, or `nil` if there are fewer.
        mutating func next(_ count: Int) throws(StoreError) -> [UInt8]? {
            while rest.count < count {
                let more = try reader.next()
                if more.isEmpty { return nil }
                rest += more
            }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}
