internal import TodoAPI
internal import Varlink

/// How a call of `todoctl` ends when it does not end well: what to say, and with which status.
enum ClientError: Error {
    /// It did not go well; `reason` is the error with which the daemon answered, if it did.
    case refused(String, reason: APIError? = nil)
    /// The answer cannot be written, for this reason.
    case unwritten(String)
    /// The command line makes no sense; `hint` says what to type instead.
    case usage(String, hint: String)
    /// Nobody answers at the socket.
    case noDaemon(String)

    var exitStatus: Int32 {
        switch self {
        case .refused, .unwritten: 1
        case .usage: 2
        case .noDaemon: 3
        }
    }

    var message: String {
        switch self {
        case .refused(let message, _), .noDaemon(let message): message
        case .unwritten(let reason): "todoctl: cannot write the answer: \(reason)"
        case .usage(let message, let hint): "\(message)\n\(hint)"
        }
    }
}

extension ClientError {
    /// The error as one line of JSON: its name, that of the API if the daemon answered with it, what is printed without
    /// `--json`, and the parameters of the API's error.
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
        case .refused, .unwritten: "Failed"
        case .usage: "Usage"
        case .noDaemon: "NoDaemon"
        }
    }

    /// A command line that `verb` cannot take; without a verb, that `todoctl` cannot.
    static func usage(_ message: String, verb: String, suggestion: String = "") -> ClientError {
        let help = verb.isEmpty ? "todoctl --help" : "todoctl \(verb) --help"
        return .usage("todoctl: \(message)", hint: "\(suggestion)Type '\(help)' for what it takes.")
    }
}
