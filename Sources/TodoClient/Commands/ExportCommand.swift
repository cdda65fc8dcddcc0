internal import TodoAPI

/// `todoctl export > items.json`
struct ExportCommand: Command {
    static let verb = "export"
    static let summary = "Print everything there is, for another program"
    static let examples = ["todoctl export > items.json", "todoctl export --format icalendar > items.ics"]

    private var format: Export.Format?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.option(
            "-f, --format NAME", &format, "json, which holds everything, icalendar, or coredata")
    }

    func run(_ session: Session) throws(ClientError) {
        try session.daemon().stream(Export.self, .init(format: format)) { Output.write($0.text) }
    }
}
