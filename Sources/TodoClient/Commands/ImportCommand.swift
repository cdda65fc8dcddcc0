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
            throw .refused("todoctl: cannot read \(path.oneLine()): \(error.reason); nothing was imported")
        }
        let reply = try send(Self.pieces(text, format, isDryRun), to: try session.daemon())
        if session.printJSON(reply) { return }
        let summary = [
            (reply.added, "added"), (reply.updated, "updated"), (reply.unchanged, "unchanged"),
            (reply.older, "newer here and left alone"), (reply.categoriesAdded, "categories added"),
            (reply.categoriesUpdated, "categories updated"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        Output.print((isDryRun ? "Would be: " : "") + (summary.isEmpty ? "nothing to import" : summary))
        for remark in reply.remarks { Output.print("  \(remark.oneLine())") }
    }

    /// Hands the pieces over, and returns what came of all of them.
    private func send(_ pieces: [Import.Parameters], to daemon: Daemon) throws(ClientError) -> Import.Reply {
        var reply = Import.Reply()
        var progress = ProgressBar().map(ImportProgress.init)
        defer { progress?.end() }
        let whileWaiting: (() -> Void)? = progress == nil ? nil : { progress?.show() }
        for piece in pieces {
            let isLast = piece.continues != true
            if isLast { progress?.readingBegins() }
            let wantsMore = isLast && progress != nil
            try daemon.stream(Import.self, piece, wantsMore: wantsMore, whileWaiting: whileWaiting) {
                reply = $0
                progress?.pass($0)
            }
        }
        return reply
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
