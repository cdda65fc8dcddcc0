internal import Platform

/// Reads, stores and removes the passwords of accounts.
package struct Passwords: Sendable {
    /// The directory of the files with passwords.
    private let directory: String
    private let busAddress: String?
    private let credentialsDirectory: String?

    /// Creates the access to passwords.
    ///
    /// - Parameters:
    ///   - directory: the directory in which files with passwords are created.
    ///   - busAddress: the address of the bus, or `nil` for the session bus.
    ///   - credentialsDirectory: the directory of the service's credentials, or `nil` if it has none.
    package init(
        directory: String, busAddress: String? = nil,
        credentialsDirectory: String? = Environment.variable("CREDENTIALS_DIRECTORY")
    ) {
        self.directory = directory
        self.busAddress = busAddress
        self.credentialsDirectory = credentialsDirectory
    }

    /// Returns the password of an account. Blocks, at most for the time limit of a command.
    ///
    /// - Parameter command: `PasswordCommand=` of the configuration, or `nil` if it is not set.
    package func password(
        of account: String, from source: PasswordSource, command: String?
    ) throws(PasswordError) -> String {
        switch source {
        case .keyring:
            do throws(SecretService.Failure) {
                return try SecretService(address: busAddress).password(of: account)
            } catch {
                throw Self.error(error, of: account)
            }
        case .file(let path): return try PasswordFile(path: path).read()
        case .command(let text): return try PasswordCommand(text: text).read()
        case .credential(let name):
            guard let credentialsDirectory else {
                throw PasswordError(
                    "the service has no credentials; add LoadCredential=\(name):PATH with 'systemctl --user edit todod-sync'"
                )
            }
            return try PasswordFile(path: "\(credentialsDirectory)/\(name)").read(isOfService: true)
        case .configuration:
            guard let command else {
                throw PasswordError(
                    "the account \(account) has no password; set PasswordCommand= in the section [Sync] of todod.conf, or run 'todoctl sync password'"
                )
            }
            return try PasswordCommand(text: command).read()
        }
    }

    /// Stores a password: in the Secret Service or, if there is none, in a file.
    ///
    /// - Returns: the place.
    package func store(_ password: String, of account: String) throws(PasswordError) -> PasswordSource {
        do throws(SecretService.Failure) {
            try SecretService(address: busAddress).store(password, of: account)
            return .keyring
        } catch {
            guard case .absent = error else { throw Self.error(error, of: account) }
            let path = path(of: account)
            try PasswordFile(path: path).write(password)
            return .file(path)
        }
    }

    /// Removes a password that `store` has stored. Other places stay as they are.
    package func remove(passwordOf account: String, from source: PasswordSource) throws(PasswordError) {
        switch source {
        case .keyring:
            do throws(SecretService.Failure) {
                try SecretService(address: busAddress).remove(passwordOf: account)
            } catch {
                throw Self.error(error, of: account)
            }
        case .file(path(of: account)): try PasswordFile(path: path(of: account)).remove()
        case .file, .command, .credential, .configuration: break
        }
    }

    /// The path of the file for an account. Bytes that are not allowed in names of files are written as digits.
    private func path(of account: String) -> String {
        let name = account.utf8.map { byte in
            let isPlain =
                byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
            return isPlain || byte == UInt8(ascii: "-") ? [byte] : Array("%\(String(byte, radix: 16))".utf8)
        }
        return "\(directory)/\(String(decoding: name.joined(), as: UTF8.self)).password"
    }

    private static func error(_ failure: SecretService.Failure, of account: String) -> PasswordError {
        switch failure {
        case .absent:
            PasswordError(
                "no keyring is running, so the password of \(account) cannot be read; log in to the desktop")
        case .locked:
            PasswordError("the keyring is locked; unlock it, for example by logging in to the desktop")
        case .notFound:
            PasswordError("the keyring has no password for \(account); store it with 'todoctl sync password'")
        case .failed(let reason):
            PasswordError("the keyring cannot be used for the password of \(account): \(reason)")
        }
    }
}
