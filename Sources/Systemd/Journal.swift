internal import CSystemd
internal import Glibc

/// The way into the systemd journal.
package enum Journal {
    private static let socketPath = "/run/systemd/journal/socket"

    /// Whether a journal runs on this machine. libsystemd reports success also where there is none.
    package static var isPresent: Bool { access(socketPath, W_OK) == 0 }

    /// Whether standard error goes to the journal, which then knows us by our unit.
    package static var receivesStandardError: Bool {
        guard let text = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return text == "\(status.st_dev):\(status.st_ino)"
    }

    /// Hands over one entry and says whether the journal took it.
    ///
    /// Blocks for as long as journald is stopped, so it belongs on a queue of its own.
    package static func send(_ entry: JournalEntry) -> Bool {
        guard isPresent else { return false }
        let fields = entry.allFields.map { Array("\($0.name)=\($0.value)".utf8) }
        return withIOVectors(fields) { sd_journal_sendv($0.baseAddress, Int32($0.count)) == 0 }
    }

    private static func withIOVectors<Result>(
        _ fields: [[UInt8]], _ body: (UnsafeBufferPointer<iovec>) -> Result
    ) -> Result {
        // One block of memory holds all fields, so that no pointer outlives the array it came from.
        var block = fields.flatMap { $0 }
        return block.withUnsafeMutableBytes { bytes in
            var start = 0
            let vectors = fields.map { field in
                defer { start += field.count }
                return iovec(iov_base: bytes.baseAddress.map { $0 + start }, iov_len: field.count)
            }
            return vectors.withUnsafeBufferPointer(body)
        }
    }
}
