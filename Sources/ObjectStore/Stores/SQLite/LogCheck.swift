internal import Platform

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

    /// The least number of saved transactions that cannot be read because of damage to the log.
    let lostTransactions: Int

    /// Throws if the log beside the database at `path` has lost saved changes. No other program may write to it.
    static func requireWhole(of path: String) throws(StoreError) {
        let database = FileSystem.target(path)
        guard let stamp = try FileStamp(of: database + "-wal"), !stamp.isEmpty else { return }
        let count = try LogCheck(database + "-wal", of: database).lostTransactions
        guard count > 0 else { return }
        throw StoreError(
            .damaged,
            "its log is damaged, and at least \(count) saved \(count == 1 ? "change" : "changes") in it cannot be read; "
                + "keep a copy of both files, then continue without these changes by 'PRAGMA wal_checkpoint(TRUNCATE)' in sqlite3, or",
            restoring: "a backup", path: path)
    }

    /// Reads the log at `path`, which is beside a database.
    init(_ path: String, of database: String) throws(StoreError) {
        var bytes = Bytes(try FileReader(path))
        guard let header = try bytes.next(Self.headerSize), let log = Header(header) else {
            lostTransactions = try OrphanedFrames(path, of: database)?.lostTransactions(in: database) ?? 0
            return
        }
        // The checksum of a frame covers the frame and all earlier ones.
        var sum = Checksum(stored: header[24...])
        var isWhole = true
        var ends = 0
        while let frame = try bytes.next(Self.frameHeaderSize + log.pageSize) {
            let stored = Checksum(stored: frame[16...])
            let isOfLog = frame[8..<16].elementsEqual(header[16..<24])
            let isRight = isOfLog && log.coding.sum(of: frame, after: sum) == stored
            let isFirstWrong = isWhole && !isRight
            isWhole = isWhole && isRight
            if !isWhole, isRight || isFirstWrong && isOfLog, Self.number(frame[4...]) != 0 { ends += 1 }
            sum = stored
        }
        lostTransactions = max(ends - 1, 0)
    }

    /// Whether an open log has all frames that its index counts. Of many frames, only the first bytes are read.
    ///
    /// - Parameters:
    ///   - header: the bytes at the beginning of the log.
    ///   - checked: an earlier state of the index with frames that are not read again, or `nil`.
    static func isWhole(
        _ file: OpenFile, header: [UInt8], to index: LogIndex, after checked: LogIndex?, bytesLimit: Int
    ) -> Bool {
        guard let log = Header(header), LogSalts(header[16..<24]) == index.salts else { return false }
        let frameSize = frameHeaderSize + log.pageSize
        var sum = Checksum(stored: header[24...])
        var first = 0
        if let checked, checked.frames > 0, checked.salts == index.salts {
            (sum, first) = (checked.checksum, checked.frames)
        }
        let end = min(index.frames, first + bytesLimit / frameSize)
        for number in first..<max(first, end) {
            let frame: [UInt8]
            do throws(SystemError) {
                frame = try file.bytes(count: frameSize, at: headerSize + number * frameSize)
            } catch {
                // A log that cannot be read now may be whole.
                return true
            }
            guard frame.count == frameSize else { return false }
            sum = log.coding.sum(of: frame, after: sum)
            guard LogSalts(frame[8..<16]) == index.salts, sum == Checksum(stored: frame[16...]) else {
                return false
            }
        }
        return true
    }

    /// Whether a log that begins with these bytes belongs to its index.
    static func fits(_ header: [UInt8], to index: LogIndex) -> Bool {
        guard header.count == headerSize, let log = Header(header) else { return false }
        return LogSalts(header[16..<24]) == index.salts && log.pageSize == index.pageSize
    }

    /// Returns the least size of a log with all frames that its index counts.
    static func size(of index: LogIndex) -> Int64 {
        Int64(headerSize + index.frames * (frameHeaderSize + index.pageSize))
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The valid header of a log.
    private struct Header {
        let pageSize: Int
        let coding: Coding

        /// Returns `nil` if a byte of the header is wrong. SQLite ignores such a log.
        init?(_ bytes: [UInt8]) {
            let magic = LogCheck.number(bytes[...])
            pageSize = Int(LogCheck.number(bytes[8...]))
            coding = Coding(isBigEndian: magic & 1 == 1)
            guard magic & ~1 == 0x377F_0682, LogCheck.pageSizes.contains(pageSize),
                pageSize.nonzeroBitCount == 1,
                coding.sum(ofHeader: bytes) == Checksum(stored: bytes[24...])
            else { return nil }
        }
    }

    /// The byte order of the words that the checksums add.
    private struct Coding {
        let isBigEndian: Bool

        /// Returns the checksum of a frame that follows frames with the checksum `sum`.
        func sum(of frame: [UInt8], after sum: Checksum) -> Checksum {
            self.sum(of: frame[24...], after: self.sum(of: frame[..<8], after: sum))
        }

        func sum(ofHeader header: [UInt8]) -> Checksum { sum(of: header[..<24], after: Checksum()) }

        /// Returns the checksum after adding bytes. Their number is a multiple of eight.
        private func sum(of bytes: ArraySlice<UInt8>, after sum: Checksum) -> Checksum {
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

    /// The complete transactions of a log with a wrong header, which SQLite ignores.
    ///
    /// SQLite begins a log again, with a new header, only when all of its pages are in the database. It syncs the header
    /// before it writes frames. After a crash at that moment, every page of the old frames is in the database. If
    /// the database lacks one, the header was damaged later.
    private struct OrphanedFrames {
        private let pageSize: Int
        /// The contents of each page, one for each transaction that wrote it.
        private var versions: [UInt32: [(transaction: Int, digest: Int)]] = [:]
        /// The number of pages of the database after the last transaction.
        private var pageCount: UInt32 = 0

        /// Reads the first unbroken series of frames. Returns `nil` if the database has no valid page size.
        init?(_ log: String, of database: String) throws(StoreError) {
            var beginning = Bytes(try FileReader(database))
            guard let header = try beginning.next(100) else { return nil }
            let size = Int(header[16]) << 8 | Int(header[17])
            pageSize = size == 1 ? 65536 : size
            guard LogCheck.pageSizes.contains(pageSize), pageSize.nonzeroBitCount == 1 else { return nil }
            var bytes = Bytes(try FileReader(log))
            _ = try bytes.next(LogCheck.headerSize)
            var last: [UInt8]?
            var transaction = 0
            var pages: [UInt32: Int] = [:]
            var isBegun = false
            while let frame = try bytes.next(LogCheck.frameHeaderSize + pageSize) {
                let isNext = last.map { Self.follows(frame, last: $0) } ?? false
                if !isNext {
                    // A series has at least two frames, because one alone cannot be checked without the header.
                    if isBegun { break }
                    pages = [:]
                    transaction = 0
                    versions = [:]
                    pageCount = 0
                }
                isBegun = isNext
                last = frame
                pages[LogCheck.number(frame[...])] = frame[24...].hashValue
                let end = LogCheck.number(frame[4...])
                guard end != 0 else { continue }
                transaction += 1
                pageCount = end
                for (page, digest) in pages { versions[page, default: []].append((transaction, digest)) }
                pages = [:]
            }
            guard isBegun else { return nil }
        }

        private static func follows(_ frame: [UInt8], last: [UInt8]) -> Bool {
            frame[8..<16] == last[8..<16]
                && [false, true].contains { isBigEndian in
                    Coding(isBigEndian: isBigEndian).sum(of: frame, after: Checksum(stored: last[16...]))
                        == Checksum(stored: frame[16...])
                }
        }

        /// Returns the number of transactions of which a page is not in the database.
        func lostTransactions(in database: String) throws(StoreError) -> Int {
            var bytes = Bytes(try FileReader(database))
            var lost: Set<Int> = []
            for page in 1...max(pageCount, 1) {
                let content = try bytes.next(pageSize)
                guard let versions = versions[page] else { continue }
                let digest = content.map { $0[...].hashValue }
                let saved = versions.lastIndex { $0.digest == digest }
                lost.formUnion(versions[(saved.map { $0 + 1 } ?? 0)...].map(\.transaction))
            }
            return lost.count
        }
    }

    /// The checksum of a frame, which covers the frame and all earlier ones.
    struct Checksum: Equatable, Sendable {
        var first: UInt32 = 0
        var second: UInt32 = 0
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

extension LogCheck.Checksum {
    /// Reads a checksum from the log.
    fileprivate init(stored bytes: ArraySlice<UInt8>) {
        first = LogCheck.number(bytes)
        second = LogCheck.number(bytes.dropFirst(4))
    }
}
