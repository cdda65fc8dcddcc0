internal import TodoAPI

/// `todoctl import items.json`, `task export | todoctl import - --format taskwarrior`
struct ImportCommand: Command {
    static let verb = "import"
    static let summary = "Take in what another program has written"
    static let details = """
        FILE is - for standard input. All of it is taken in or, when something is wrong, \
        nothing. What was imported before changes nothing.
        """
    static let examples = [
        "todoctl import items.json --dry-run", "task export | todoctl import - --format taskwarrior",
    ]

    private var path = ""
    private var format: Import.Format?
    private var isDryRun = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("FILE", &path, .file)
        try arguments.option(
            "-f, --format NAME", &format,
            "json, icalendar, taskwarrior or coredata; .ics is icalendar by itself, .xml coredata")
        arguments.flag("-n, --dry-run", &isDryRun, "say what would happen, and change nothing")
    }

    func run(_ session: Session) throws(ClientError) {
        let format = format ?? Self.customaryFormat(of: path)
        let text: String
        do throws(TextFile.Failure) {
            text = try TextFile.contents(of: path)
        } catch {
            let hint = error.isStore ? "\n'todoctl backup --help' says how to go back to it." : ""
            throw .refused(
                "todoctl: cannot read \(path.oneLine()): \(error.reason); nothing was imported\(hint)")
        }
        let reply = try take(text, format, session)
        if try session.printJSON(reply) { return }
        let summary = [
            (reply.added, "added"), (reply.updated, "updated"), (reply.unchanged, "unchanged"),
            (reply.older, "newer here and left alone"),
            (reply.categoriesAdded, "\(reply.categoriesAdded == 1 ? "category" : "categories") added"),
            (reply.categoriesUpdated, "\(reply.categoriesUpdated == 1 ? "category" : "categories") updated"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        try Output.print((isDryRun ? "Would be: " : "") + (summary.isEmpty ? "nothing to import" : summary))
        for remark in reply.remarks { try Output.print("  \(remark.oneLine())") }
    }

    /// Has the daemon take it in; when it is refused, says that nothing was.
    private func take(_ text: String, _ format: Import.Format, _ session: Session) throws(ClientError)
        -> Import.Reply
    {
        let daemon = try session.daemon()
        do throws(ClientError) {
            return try send(Self.pieces(text, format, isDryRun), to: daemon)
        } catch .refused(let message, let reason?) {
            throw .refused("\(message)\nNothing was imported.", reason: reason)
        }
    }

    /// Hands the pieces over, and returns what came of all of them.
    private func send(_ pieces: [Import.Parameters], to daemon: Daemon) throws(ClientError) -> Import.Reply {
        var reply = Import.Reply()
        var progress = ProgressBar().map(ImportProgress.init)
        defer { progress?.end() }
        let whileWaiting: (() -> Void)? = progress == nil ? nil : { progress?.show() }
        for piece in pieces {
            let isLast = piece.continues != true
            if progress != nil { sayWhenInterrupted(isLast: isLast) }
            if isLast { progress?.readingBegins() }
            let wantsMore = isLast && progress != nil
            try daemon.stream(Import.self, piece, wantsMore: wantsMore, whileWaiting: whileWaiting) {
                reply = $0
                progress?.pass($0)
            }
        }
        return reply
    }

    /// What became of the items, in as far as that is known here.
    private func sayWhenInterrupted(isLast: Bool) {
        if isDryRun {
            Interruption.handle { Interruption.end(by: $0, saying: "Interrupted; nothing was changed.\n") }
        } else if !isLast {
            Interruption.handle {
                Interruption.end(
                    by: $0, saying: "Interrupted before all of it was sent; nothing was imported.\n")
            }
        } else {
            Interruption.handle {
                Interruption.end(
                    by: $0,
                    saying: """
                        Interrupted; all of it will be imported, or nothing.
                        To be sure, import it again: what is there already changes nothing.

                        """)
            }
        }
    }

    private static func customaryFormat(of path: String) -> Import.Format {
        if path.hasSuffix(".ics") { return .icalendar }
        return path.hasSuffix(".xml") ? .coredata : .json
    }

    /// The calls that carry the text, cut between characters.
    private static func pieces(_ text: String, _ format: Import.Format, _ isDryRun: Bool) -> [Import
        .Parameters]
    {
        var pieces: [Import.Parameters] = []
        var rest = Substring(text)
        repeat {
            let limit = rest.utf8.index(
                rest.startIndex, offsetBy: Import.pieceBytes, limitedBy: rest.endIndex)
            let end = limit.map { text.unicodeScalars.index(after: rest.unicodeScalars.index(before: $0)) }
            var piece = Import.Parameters()
            piece.text = String(rest[..<(end ?? rest.endIndex)])
            rest = rest[(end ?? rest.endIndex)...]
            piece.format = format
            piece.dryRun = isDryRun
            piece.continues = !rest.isEmpty
            pieces.append(piece)
        } while !rest.isEmpty
        return pieces
    }
}
