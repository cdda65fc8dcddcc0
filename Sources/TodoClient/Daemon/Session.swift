internal import CivilTime
internal import Platform
internal import TodoAPI

/// The context of one run of `todoctl`: the connection to the daemon, the clock, and the output format.
struct Session {
    let wantsJSON: Bool
    let zone: TimeZoneRules
    let now: Timestamp
    let madeChanges = MadeChanges()
    let notes = Notes()
    private let socketPath: String
    private let syncSocketPath: String
    private let warnings: WarningUse
    private let colour: ColourUse

    /// Prints a warning on standard error if `TZ` names an unknown time zone.
    ///
    /// The session uses UTC in this case.
    init(_ options: GlobalOptions, warnings: WarningUse = .left) {
        self.warnings = warnings
        let directories = UserDirectories()
        socketPath = options.socketPath ?? directories.socket
        syncSocketPath = directories.syncSocket
        wantsJSON = options.wantsJSON
        colour = options.colour ?? .auto
        zone = .current { name in
            Output.printError(
                "todoctl: TZ names an unknown time zone, '\(name.oneLine(bytesLimit: 80))'; times are in UTC"
            )
        }
        now = .now
    }

    /// The name of the time zone in which the daemon reads typed times, or `nil` if the zone has no known name.
    var zoneName: String? { zone.name.isEmpty ? nil : zone.name }

    var words: TimeInWords { TimeInWords(now: now, zone: zone) }

    /// The page for which tables are laid out.
    var page: Output.Page { .standardOutput(colour) }

    /// Whether a person reads the output and can answer questions.
    var isInteractive: Bool {
        !wantsJSON && [StandardStream.input, .output, .error].allSatisfy(\.isTerminal)
    }

    /// Opens a connection to the daemon.
    ///
    /// A command does so when it has checked its arguments.
    func daemon() throws(ClientError) -> Daemon {
        try Daemon(socketPath: socketPath, words: words, warnings: warnings, madeChanges: madeChanges)
    }

    /// Opens a connection to `todod-sync`.
    ///
    /// - Parameter limits: the limits on the wait for replies. By default they include the wait for a server.
    func syncProgram(_ limits: ReplyTimeout.Limits = .forSync) throws(ClientError) -> Daemon {
        try Daemon(
            socketPath: syncSocketPath, of: .sync, words: words, limits: limits, madeChanges: madeChanges)
    }
}

/// The notes about the daemon's interpretations of texts that have not been printed yet.
final class Notes {
    private var texts: [String] = []

    /// Adds a note, unless the daemon has given the same one for another batch of items.
    func add(_ note: String) {
        if !texts.contains(note) { texts.append(note) }
    }

    /// Removes and returns all notes as one text, or returns `nil` if there are none.
    func take() -> String? {
        defer { texts = [] }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// The treatment of the daemon's warnings to the user.
enum WarningUse {
    /// They are printed on standard error before the reply.
    case printed
    /// They are read but not printed, because the reply contains them.
    case dropped
    /// They are not read. The daemon keeps them for the next command.
    case left
}
