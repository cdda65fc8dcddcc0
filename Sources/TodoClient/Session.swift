internal import CivilTime
internal import TodoAPI

/// What one call of `todoctl` works with: the daemon, the clock, and how answers are to be printed.
struct Session {
    let wantsJSON: Bool
    let zone: TimeZoneRules
    let now: Timestamp
    let madeChanges = MadeChanges()
    private let socketPath: String
    private let warnings: WarningUse
    private let colour: GlobalOptions.Colour

    /// Says on standard error when there is no such time zone as this user wants.
    init(_ options: GlobalOptions, warnings: WarningUse = .left) {
        self.warnings = warnings
        socketPath = options.socketPath ?? UserDirectories().socket
        wantsJSON = options.wantsJSON
        colour = options.colour ?? .auto
        zone = .current { name in
            Output.printError(
                "todoctl: there is no time zone '\(name.oneLine(bytesLimit: 80))', which TZ names; times are in UTC"
            )
        }
        now = .now
    }

    /// For the daemon, which reads typed times in it; nil when it is not known by a name.
    var zoneName: String? { zone.name.isEmpty ? nil : zone.name }

    var words: TimeInWords { TimeInWords(now: now, zone: zone) }

    /// What tables are laid out for.
    var page: Output.Page { .standardOutput(colour) }

    /// Connects; a command does so once, when it knows what to ask.
    func daemon() throws(ClientError) -> Daemon {
        try Daemon(socketPath: socketPath, words: words, warnings: warnings, madeChanges: madeChanges)
    }
}

/// What becomes of the warnings that the daemon has for the user.
enum WarningUse {
    /// They are printed on standard error before the answer.
    case printed
    /// The answer shows them itself.
    case dropped
    /// The daemon keeps them for the next command.
    case left
}
