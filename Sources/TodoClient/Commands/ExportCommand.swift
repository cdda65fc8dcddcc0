internal import TodoAPI

/// `todoctl export > items.json`
enum ExportCommand: Command {
    static let verb = "export"
    static let synopsis = "export [--format json|icalendar]"
    static let summary = "Print everything there is, for 'import' or another program"
    static let details = "Example: todoctl export > items.json"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let name = try arguments.value("--format", "-f")
        try arguments.finish()
        let format = Export.Format(rawValue: name ?? "json")
        guard let format else {
            throw arguments.usage("--format takes json or icalendar, not '\(name ?? "")'")
        }
        try session.daemon().stream(Export.self, .init(format: format)) { Output.write($0.text) }
    }
}
