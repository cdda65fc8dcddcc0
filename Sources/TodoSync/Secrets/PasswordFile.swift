internal import Platform

/// A file that contains only a password.
struct PasswordFile {
    let path: String

    /// The longest password. A longer file is another file.
    private static let bytesLimit = 4 << 10

    /// Reads the password: the first line of the file.
    ///
    /// - Parameter isOfService: whether the service manager has made the file and protects it.
    /// - Throws: an error if the file is missing, or if other users may read or replace it.
    func read(isOfService: Bool = false) throws(PasswordError) -> String {
        let bytes: [UInt8]?
        do {
            let file = try FileDescriptor(opening: path, for: .reading, [.refusesLinks, .doesNotWait])
            let status = try file.status()
            guard status.kind == .file else { throw PasswordError("\(path) is not a file") }
            guard isOfService || status.ownerID == Environment.userID else {
                throw PasswordError("\(path) belongs to another user; run:  sudo chown \"$USER\" '\(path)'")
            }
            guard isOfService || status.permissions & 0o077 == 0 else {
                throw PasswordError("other users have access to \(path); run:  chmod 600 '\(path)'")
            }
            bytes = try file.remainingBytes(limit: Self.bytesLimit)
        } catch let error as PasswordError {
            throw error
        } catch {
            throw PasswordError("the password cannot be read: \(error)")
        }
        guard let bytes else { throw PasswordError("\(path) is too large for a password") }
        guard let line = PasswordText.firstLine(of: bytes) else {
            throw PasswordError("\(path) has no password; write the password into its first line")
        }
        return line
    }

    /// Replaces the file with one that only the owner may read.
    func write(_ password: String) throws(PasswordError) {
        do throws(SystemError) {
            try SmallFile.replace(path, with: Array("\(password)\n".utf8))
        } catch {
            throw PasswordError("the password cannot be stored: \(error)")
        }
    }

    func remove() throws(PasswordError) {
        do throws(SystemError) {
            try FileSystem.remove(path)
        } catch {
            throw PasswordError("the password cannot be removed: \(error)")
        }
    }
}

/// The form of a password in a file or in the output of a command.
enum PasswordText {
    /// Returns the first line, or `nil` if it is empty or not UTF-8.
    static func firstLine(of bytes: [UInt8]) -> String? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return text.isEmpty ? nil : String(validating: text, as: UTF8.self)
    }
}
