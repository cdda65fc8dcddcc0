internal import TodoAPI

/// The `import` command, for example `todoctl import items.json` or `task export | todoctl import -`.
struct ImportCommand: Command {
    static let verb = "import"
    static let summary = "Add items from files"
    static let details = """
        FILE is - for standard input. It contains the output of 'todoctl export', of Taskwarrior, of a program with iCalendar \
        tasks, of Todoist (CSV) or of a Core Data application, or lines of todo.txt. The format is detected from the beginning \
        of the text, and that of todo.txt and done.txt from the name of the file. The name of a file of Todoist is that of its \
        project, which becomes the category. Several files, or those of a directory, must be iCalendar files, and are one \
        import. If something is wrong, nothing is imported. Importing the same items again changes nothing. Categories and \
        tags that do not exist are added.
        """
    static let examples = [
        "todoctl import items.json --dry-run", "todoctl import *.ics", "task export | todoctl import -",
        "todoctl import Garden.csv --category Home",
    ]

    private var paths: [String] = []
    private var format: Import.Format?
    private var category: String?
    private var isDryRun = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("FILE...", &paths, kind: .file)
        try arguments.option(
            "-f, --format NAME", &format,
            help: "the format, if not detected: json, icalendar, taskwarrior, coredata, todotxt or todoist")
        arguments.option(
            "-c, --category NAME", &category, help: "the category of new items that have none in the file")
        arguments.flag("-n, --dry-run", &isDryRun, help: "show the result without changing anything")
    }

    func run(_ session: Session) throws(ClientError) {
        let source = try ImportSource(paths, format: format)
        var reply = try take(source, session)
        reply.remarks = reply.remarks.map(source.located)
        for remark in source.remarks { Output.printError("todoctl: \(remark)") }
        if try session.printJSON(reply) { return }
        let summary = [
            (reply.added, "added"), (reply.updated, "updated"), (reply.unchanged, "unchanged"),
            (reply.older, "newer here and left alone"),
            (reply.categoriesAdded, "\(reply.categoriesAdded == 1 ? "category" : "categories") added"),
            (reply.categoriesUpdated, "\(reply.categoriesUpdated == 1 ? "category" : "categories") updated"),
            (reply.tagsAdded ?? 0, "\(reply.tagsAdded == 1 ? "tag" : "tags") added"),
            (reply.tagsUpdated ?? 0, "\(reply.tagsUpdated == 1 ? "tag" : "tags") renamed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        try Output.print((isDryRun ? "Would be: " : "") + (summary.isEmpty ? "nothing to import" : summary))
        for remark in reply.remarks { try Output.print("  \(remark.oneLine())") }
    }

    /// Imports the text.
    ///
    /// - Throws: the error of the daemon, with a note that nothing was imported.
    private func take(_ source: ImportSource, _ session: Session) throws(ClientError) -> Import.Reply {
        let daemon = try session.daemon()
        do throws(ClientError) {
            return try send(source, to: daemon)
        } catch .refused(var message, let reason?) {
            if case .invalidValue("text", let text) = reason {
                let located = APIError.invalidValue(field: "text", reason: source.located(text))
                message =
                    "todoctl: "
                    + ErrorText.text(for: located, of: Import.qualifiedName, words: session.words)
            }
            let hint = hint(after: reason, source)
            throw .refused("\(message)\n\(hint)Nothing was imported.", reason: reason)
        }
    }

    /// Returns a hint to use `--format` if the text may have another format than it seems to have.
    private func hint(after error: APIError, _ source: ImportSource) -> String {
        let isBlank = source.text.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard source.format == nil, !isBlank, case .invalidValue("text", _) = error else { return "" }
        let names = Import.Format.allCases.map(\.rawValue).joined(separator: "|")
        return "If it has one of these formats, name it:  --format \(names)\n"
    }

    /// Sends the text in chunks, and returns the reply to the last one.
    private func send(_ source: ImportSource, to daemon: Daemon) throws(ClientError) -> Import.Reply {
        var reply = Import.Reply()
        var progress = ProgressBar().map(ImportProgress.init)
        defer { progress?.end() }
        let onIdle: (() -> Void)? = progress == nil ? nil : { progress?.show() }
        var rest = Substring(source.text)
        repeat {
            let chunk = nextChunk(of: &rest, source)
            let isLast = rest.isEmpty
            if progress != nil { sayWhenInterrupted(isLast: isLast) }
            if isLast { progress?.readingBegins() }
            let wantsMore = isLast && progress != nil
            try daemon.stream(Import.self, chunk, wantsMore: wantsMore, onIdle: onIdle) {
                reply = $0
                progress?.pass($0)
            }
        } while !rest.isEmpty
        return reply
    }

    /// Sets the message that is printed if a signal interrupts the import.
    ///
    /// The message says whether items have been imported, as far as this is known.
    private func sayWhenInterrupted(isLast: Bool) {
        if isDryRun {
            Interruption.handle { Interruption.end(by: $0, message: "Interrupted; nothing was changed.\n") }
        } else if !isLast {
            Interruption.handle {
                Interruption.end(
                    by: $0, message: "Interrupted before everything was sent; nothing was imported.\n")
            }
        } else {
            Interruption.handle {
                Interruption.end(
                    by: $0,
                    message: """
                        Interrupted; either everything will be imported, or nothing.
                        To be sure, import it again: items that are already there do not change.

                        """)
            }
        }
    }

    /// Returns the call with the next chunk of the text, which ends between characters.
    private func nextChunk(of rest: inout Substring, _ source: ImportSource) -> Import.Parameters {
        let limit = rest.utf8.index(rest.startIndex, offsetBy: Import.chunkBytes, limitedBy: rest.endIndex)
        let scalars = rest.unicodeScalars
        let end = limit.map { scalars.index(after: scalars.index(before: $0)) } ?? rest.endIndex
        var chunk = Import.Parameters()
        chunk.text = String(rest[..<end])
        rest = rest[end...]
        chunk.format = source.format
        chunk.category = category
        chunk.project = source.project
        chunk.dryRun = isDryRun
        chunk.continues = !rest.isEmpty
        return chunk
    }
}
