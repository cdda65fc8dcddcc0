internal import TodoAPI
internal import Varlink

/// An error that ends `todoctl`: the message to print and the exit status.
enum ClientError: Error {
    /// The command failed. `reason` is the error in the daemon's reply, if there was one.
    case refused(String, reason: APIError? = nil)
    /// The command has printed its output, which shows that something needs the user.
    case needsAttention
    /// The output cannot be written, for this reason.
    case unwritten(String)
    /// The command line is invalid. `hint` suggests a command to type instead.
    case usage(String, hint: String)
    /// No daemon answers at the socket.
    case noDaemon(String)

    var exitStatus: Int32 {
        switch self {
        case .refused, .needsAttention, .unwritten: 1
        case .usage: 2
        case .noDaemon: 3
        }
    }

    var message: String {
        switch self {
        case .refused(let message, _), .noDaemon(let message): message
        case .needsAttention: ""
        case .unwritten(let reason): "todoctl: cannot write the answer: \(reason)"
        case .usage(let message, let hint): "\(message)\n\(hint)"
        }
    }
}

extension ClientError {
    /// The error as one line of JSON, which `todoctl` prints if `--json` is set.
    ///
    /// The members are the name of the error, its message, and the parameters of the daemon's error. The name is that
    /// of the daemon's error if there is one. The message is the one that is printed without `--json`.
    var json: JSONWriter {
        var writer = JSONWriter()
        let text = message.hasPrefix("todoctl: ") ? String(message.dropFirst(9)) : message
        writer.object { object in
            object.name("error")
            object.value(name)
            object.name("message")
            object.value(text)
            object.name("parameters")
            object.object { parameters in
                if case .refused(_, let reason?) = self { FieldWriter.write(reason.body, to: &parameters) }
            }
        }
        return writer
    }

    private var name: String {
        switch self {
        case .refused(_, let reason?): reason.name
        case .refused, .needsAttention, .unwritten: "Failed"
        case .usage: "Usage"
        case .noDaemon: "NoDaemon"
        }
    }

    /// Returns an error for a command line that `verb` does not accept.
    ///
    /// If `verb` is empty, the hint names the help of `todoctl` itself.
    static func usage(_ message: String, verb: String, suggestion: String = "") -> ClientError {
        let help = verb.isEmpty ? "todoctl --help" : "todoctl \(verb) --help"
        return .usage("todoctl: \(message)", hint: "\(suggestion)Type '\(help)' for its usage.")
    }
}
