internal import TodoAPI

/// The `export` command, for example `todoctl export > items.json`.
struct ExportCommand: Command {
    static let verb = "export"
    static let summary = "Write items, categories and tags to standard output"
    static let details = """
        JSON and Core Data have everything. In iCalendar, the category and the tags of an item are its CATEGORIES. In \
        todo.txt, the category is a +project and the tags are @contexts; notes, links and alerts are omitted. For \
        Taskwarrior, the category is the project and the lines of the notes are annotations. If the output goes to a file, \
        a terminal shows the progress.
        """
    static let examples = [
        "todoctl export > items.json", "todoctl export --format icalendar > items.ics",
        "todoctl export --format taskwarrior | task import",
    ]

    private var format: Export.Format?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.option(
            "-f, --format NAME", &format, help: "json (complete), icalendar, coredata, todotxt or taskwarrior"
        )
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        var progress = try bar(daemon)
        if progress != nil {
            Interruption.handle {
                Interruption.end(by: $0, message: "Interrupted; the output is incomplete.\n")
            }
        }
        defer { progress?.end() }
        let onIdle: (() -> Void)? = progress == nil ? nil : { progress?.show() }
        try daemon.stream(Export.self, .init(format: format), onIdle: onIdle) {
            chunk throws(ClientError) in
            try Output.write(chunk.text)
            progress?.pass(chunk.text)
        }
    }

    /// Returns a progress bar if standard output is a file, or `nil` otherwise.
    ///
    /// On a terminal, the bar would mix with the output.
    private func bar(_ daemon: Daemon) throws(ClientError) -> ExportProgress? {
        guard Output.isFile, let bar = ProgressBar() else { return nil }
        return ExportProgress(of: format ?? .json, try daemon.call(Status.self, .init()), bar)
    }
}
