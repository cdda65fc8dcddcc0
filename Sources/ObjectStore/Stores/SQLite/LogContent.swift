internal import Platform

/// The log of an open database and its index, which show whether another program writes over them.
///
/// SQLite neither reads the header of the log again nor checks its checksums while the database is open. A checkpoint
/// would write damaged pages into the database.
struct LogContent: Sendable {
    /// The largest number of bytes of the log that are read again. SQLite begins a log of this size again.
    private static let bytesLimit = 8 << 20
    private static let headerSize = 32

    /// The least time between two questions for the time of the log. A question makes the next save slower; see
    /// `UntimedFileStatus`.
    private static let questionInterval = Duration.milliseconds(100)

    private let log: OpenFile
    private let index: OpenFile
    private var lastIndex: LogIndex?
    /// The last header of the log, which fitted an index with these salts.
    private var lastHeader: (salts: LogSalts, bytes: [UInt8])?
    /// The state of the log that belongs to `lastIndex`.
    private var expected: Expectation
    /// Whether the time of the log was read since the last commit of this process.
    private var isQuestioned = true
    /// Whether this process has committed twice without reading the time of the log in between. Another program may have
    /// written to the log between the two commits.
    private var hasGap = false
    /// The time of the last question and the last reading, since the log was opened.
    private var lastQuestion = .zero - Self.questionInterval
    private var lastReading = Duration.zero
    /// The file that was overwritten first, or `nil` if neither was.
    private(set) var overwritten: File?

    enum File { case log, index }

    private enum Expectation {
        /// The log as it was read.
        case stamp(FileStamp?)
        /// A log that was last written in this span of `SystemClock.fileNanoseconds`.
        case written(ClosedRange<Int64>)
    }

    /// Opens the log at `path`. Returns `nil` if there is none.
    init?(_ path: String, index: OpenFile) {
        guard let log = OpenFile(path) else { return nil }
        self.log = log
        self.index = index
        expected = .stamp(log.stamp)
        lastIndex = LogIndexReading(index)?.header
    }

    /// Checks the log against its index and the index against its last state. A log that another program may have written to
    /// is read again.
    ///
    /// - Parameters:
    ///   - reading: the index as it is now, or `nil` if it cannot be read.
    ///   - time: the time since the log was opened.
    ///   - age: the age up to which the last reading of a log with a gap is still valid. If it is zero, the time of the log is
    ///     read, too.
    mutating func check(_ reading: LogIndexReading?, at time: Duration, allowingAge age: Duration) {
        guard let state = nextIndex(reading) else { return }
        guard hasSize(of: state), hasHeader(of: state) else { return recordOverwriting(state) }
        let isKnown = state == lastIndex
        if isKnown, age > .zero, time - lastQuestion < Self.questionInterval { return }
        let stamp = log.stamp
        lastQuestion = time
        isQuestioned = true
        if isKnown, isExpected(stamp), !hasGap || time - lastReading < age { return }
        // If other connections have added frames, the earlier ones were checked.
        guard isWhole(state, after: isKnown ? nil : lastIndex) else { return recordOverwriting(state) }
        lastIndex = state
        expected = .stamp(stamp)
        guard isKnown else { return }
        hasGap = false
        lastReading = time
    }

    /// Records the state of the log after this process has written to it. Its frames are not read.
    ///
    /// - Parameters:
    ///   - reading: the index as it is now, or `nil` if it cannot be read.
    ///   - span: the span of `SystemClock.fileNanoseconds` in which the commit wrote to the log.
    mutating func recordCommit(_ reading: LogIndexReading?, in span: ClosedRange<Int64>) {
        guard let state = nextIndex(reading) else { return }
        guard hasHeader(of: state) else { return recordOverwriting(state) }
        // A commit without changes writes nothing.
        guard state != lastIndex else { return }
        lastIndex = state
        expected = .written(span.lowerBound - FileStamp.coarseness...span.upperBound)
        if !isQuestioned { hasGap = true }
        isQuestioned = false
    }

    private func isExpected(_ stamp: FileStamp?) -> Bool {
        switch expected {
        case .stamp(let last): stamp == last
        case .written(let span): stamp?.isWritten(in: span) ?? false
        }
    }

    /// Returns the state of the index, or `nil` if it is being written or was overwritten.
    private mutating func nextIndex(_ reading: LogIndexReading?) -> LogIndex? {
        guard overwritten == nil, let state = reading?.header else { return nil }
        if let lastIndex, !state.canFollow(lastIndex) {
            overwritten = .index
            return nil
        }
        return state
    }

    private mutating func recordOverwriting(_ state: LogIndex) {
        // Another program may just have begun the log again.
        guard LogIndexReading(index)?.header == state else { return }
        overwritten = state.salts == lastIndex?.salts ? .log : .index
    }

    /// Whether the log has the size that its index requires.
    private func hasSize(of state: LogIndex) -> Bool {
        // A log without frames is not read, and one whose size cannot be read now may be intact.
        guard state.frames > 0, let size = log.size else { return true }
        return size >= LogCheck.size(of: state)
    }

    /// Whether the log has the header that its index requires.
    private mutating func hasHeader(of state: LogIndex) -> Bool {
        // The header of a log without frames may be that of earlier frames.
        guard state.frames > 0 else { return true }
        return withUnsafeTemporaryAllocation(byteCount: Self.headerSize, alignment: 8) { header in
            // A log that cannot be read now may be intact.
            guard let count = log.read(into: header) else { return true }
            if let known = lastHeader, known.salts == state.salts, header[..<count].elementsEqual(known.bytes)
            {
                return true
            }
            let bytes = Array(header[..<count])
            guard LogCheck.fits(bytes, to: state) else { return false }
            lastHeader = (state.salts, bytes)
            return true
        }
    }

    private func isWhole(_ state: LogIndex, after checked: LogIndex?) -> Bool {
        guard state.frames > 0 else { return true }
        let header = log.beginning(count: Self.headerSize)
        guard !header.isEmpty else { return true }
        let added = checked.flatMap { $0.frames < state.frames ? $0 : nil }
        return LogCheck.isWhole(log, header: header, to: state, after: added, bytesLimit: Self.bytesLimit)
    }
}
