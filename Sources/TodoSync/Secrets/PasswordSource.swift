/// The place of the password of an account.
package enum PasswordSource: Hashable, Sendable, CustomStringConvertible {
    /// The Secret Service of the desktop.
    case keyring
    case file(String)
    /// A command for the shell. The first line of its output is the password.
    case command(String)
    /// A credential of the service, by its name.
    case credential(String)
    /// `PasswordCommand=` of the configuration.
    case configuration

    /// Reads the text that the store keeps for an account, or returns `nil` if it names no place.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let value = parts.count == 2 ? parts[1] : ""
        switch (parts[0], value) {
        case ("", "") where parts.count == 1: self = .configuration
        case ("keyring", "") where parts.count == 1: self = .keyring
        case ("file", _) where value.hasPrefix("/"): self = .file(value)
        case ("command", _) where !value.isEmpty: self = .command(value)
        case ("credential", _) where !value.isEmpty && !value.contains("/") && !value.hasPrefix("."):
            self = .credential(value)
        default: return nil
        }
    }

    /// The text for the store. Empty for `configuration`.
    package var description: String {
        switch self {
        case .keyring: "keyring"
        case .file(let path): "file:\(path)"
        case .command(let text): "command:\(text)"
        case .credential(let name): "credential:\(name)"
        case .configuration: ""
        }
    }
}

/// The reason why a password cannot be read or stored, with advice.
package struct PasswordError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
