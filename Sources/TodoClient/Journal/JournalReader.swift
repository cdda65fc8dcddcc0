internal import CivilTime
internal import Glibc
internal import Platform

/// A reader of the entries in this user's journal that match given fields, oldest first.
final class JournalReader {
    /// `SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_CURRENT_USER`.
    private static let ownEntries: Int32 = 1 << 0 | 1 << 3
    /// No limit on the length of a field. By default libsystemd cuts a field at 64 KiB, but a name may be longer.
    private static let noThreshold = 0

    private let library: JournalLibrary
    private let handle: JournalLibrary.Handle

    /// Opens the journal for the entries that match `matches`, each of the form `FIELD=value`.
    ///
    /// If there are several values for one field, any of them matches. If there are several fields, all of them have to
    /// match.
    ///
    /// - Parameter noun: the word for the entries in the error that there is no journal.
    init(matching matches: [String], of noun: String) throws(ClientError) {
        library = try JournalLibrary()
        var opened: JournalLibrary.Handle?
        let code = library.open(&opened, Self.ownEntries)
        guard code >= 0, let opened else { throw Self.failure("be opened", code) }
        handle = opened
        guard library.hasPersistentFiles(handle) > 0 || library.hasRuntimeFiles(handle) > 0 else {
            throw .refused(Self.whyUnreadable(noun) { FileSystem.exists($0) })
        }
        _ = library.setDataThreshold(handle, Self.noThreshold)
        for match in matches { _ = library.addMatch(handle, match, match.utf8.count) }
    }

    deinit { library.close(handle) }

    private static func failure(_ operation: String, _ code: Int32) -> ClientError {
        .refused("todoctl: the journal cannot \(operation): \(String(cString: strerror(-code)))")
    }

    /// Returns the message for a journal that cannot be read.
    ///
    /// A journal in memory belongs to the system, so users may not read it.
    static func whyUnreadable(_ noun: String, _ exists: (_ path: String) -> Bool) -> String {
        guard exists("/run/systemd/journal/socket") else {
            return """
                todoctl: there is no systemd journal here, so \(noun) are not kept
                The daemon prints them to its standard error, in the terminal where it runs.
                """
        }
        let reason =
            exists("/var/log/journal")
            ? "todoctl: you cannot read the journal, or it has no entries of yours yet."
            : """
            todoctl: you cannot read the journal: it is kept in memory only, and belongs to the system.
            To keep it on disk, where you can read your own entries:
              sudo mkdir -p /var/log/journal && sudo systemctl restart systemd-journald
            """
        return """
            \(reason)
            To read the whole journal, run this and log in again:
              sudo usermod -aG systemd-journal "$USER"
            """
    }

    // MARK: - Where to begin

    /// Moves before the first entry at or after `moment`.
    func seek(to moment: Timestamp) {
        _ = library.seekTime(handle, UInt64(max(0, moment.secondsSince1970 * 1e6)))
    }

    /// Moves before the last `count` entries.
    func seek(toLast count: Int) {
        _ = library.seekTail(handle)
        // The next read returns the entry after the skip, so skip one entry more. If there are fewer, start at the
        // first.
        if library.previousSkip(handle, UInt64(count) + 1) <= Int32(clamping: count) {
            _ = library.seekTime(handle, 0)
        }
    }

    // MARK: - Reading

    /// Moves to the next entry, or returns false at the end.
    func next() throws(ClientError) -> Bool {
        let code = library.next(handle)
        guard code >= 0 else { throw Self.failure("be read", code) }
        return code > 0
    }

    /// Blocks until entries may have been added.
    ///
    /// Returns false if the reader of standard output has closed it.
    func wait() throws(ClientError) -> Bool {
        let descriptor = library.descriptor(handle)
        guard descriptor >= 0 else { throw Self.failure("be watched", descriptor) }
        var polls = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            // With no requested events, poll still reports that the reader of a pipe has closed it.
            pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        guard poll(&polls, nfds_t(polls.count), -1) >= 0 || errno == EINTR else {
            throw Self.failure("be watched", -errno)
        }
        let code = library.process(handle)
        guard code >= 0 else { throw Self.failure("be watched", code) }
        return polls[1].revents == 0
    }

    /// The time at which the current entry was written.
    var time: Timestamp {
        var microseconds: UInt64 = 0
        _ = library.time(handle, &microseconds)
        return Timestamp(secondsSince1970: Double(microseconds) / 1e6)
    }

    /// Returns a field of the current entry, or `nil` if the entry does not have it.
    ///
    /// Bytes that are not UTF-8 are replaced.
    subscript(field: String) -> String? {
        var start: UnsafeRawPointer?
        var count = 0
        guard library.data(handle, field, &start, &count) >= 0, let start else { return nil }
        let bytes = UnsafeRawBufferPointer(start: start, count: count).dropFirst(field.utf8.count + 1)
        return String(decoding: bytes, as: UTF8.self)
    }
}
