internal import CSystemd
internal import Glibc
internal import Platform

/// The systemd journal.
package enum Journal {
    private static let socketPath = "/run/systemd/journal/socket"

    /// Whether this machine has a running journal. libsystemd reports success even if there is none.
    package static var isPresent: Bool { FileSystem.has(.write, for: socketPath) }

    /// Whether standard error is connected to the journal, which then knows the unit of this process.
    package static var receivesStandardError: Bool {
        guard let text = Environment.variable("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return text == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sends one entry. Returns true if the journal accepted it.
    ///
    /// Blocks while journald is stopped, so call it on a dedicated queue.
    package static func send(_ entry: JournalEntry) -> Bool {
        guard isPresent else { return false }
        let fields = entry.allFields.map { Array("\($0.name)=\($0.value)".utf8) }
        return withIOVectors(fields) { sd_journal_sendv($0.baseAddress, Int32($0.count)) == 0 }
    }

    private static func withIOVectors<Result>(
        _ fields: [[UInt8]], _ body: (UnsafeBufferPointer<iovec>) -> Result
    ) -> Result {
        // One block of memory holds all fields, so that every pointer stays valid during the call.
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
