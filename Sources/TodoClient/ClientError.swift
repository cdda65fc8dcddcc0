internal import TodoAPI

/// How a call of `todoctl` ends when it does not end well: what to say, and with which status.
enum ClientError: Error {
    /// It did not go well; `reason` is the error with which the daemon answered, if it did.
    case refused(String, reason: APIError? = nil)
    /// The command line makes no sense; `hint` says what to type instead.
    case usage(String, hint: String)
    /// Nobody answers at the socket.
    case noDaemon(String)

    var exitStatus: Int32 {
        switch self {
        case .refused: 1
        case .usage: 2
        case .noDaemon: 3
        }
    }

    var message: String {
        switch self {
        case .refused(let message, _), .noDaemon(let message): message
        case .usage(let message, let hint): "\(message)\n\(hint)"
        }
    }
}

extension ClientError {
    /// A command line that `verb` cannot take; without a verb, that `todoctl` cannot.
    static func usage(_ message: String, verb: String, suggestion: String = "") -> ClientError {
        let help = verb.isEmpty ? "todoctl --help" : "todoctl \(verb) --help"
        return .usage("todoctl: \(message)", hint: "\(suggestion)Type '\(help)' for what it takes.")
    }
}
