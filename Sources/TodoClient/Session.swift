internal import CivilTime
internal import TodoAPI

/// What one call of `todoctl` works with: the daemon, the clock, and how answers are to be printed.
struct Session {
    let wantsJSON: Bool
    let zone: TimeZoneRules
    let now: Timestamp
    private let socketPath: String
    private let colour: GlobalOptions.Colour

    init(_ options: GlobalOptions) {
        socketPath = options.socketPath ?? UserDirectories().socket
        wantsJSON = options.wantsJSON
        colour = options.colour ?? .auto
        zone = .current()
        now = .now
    }

    /// For the daemon, which reads typed times in it; nil when it is not known by a name.
    var zoneName: String? { zone.name.isEmpty ? nil : zone.name }

    var words: TimeInWords { TimeInWords(now: now, zone: zone) }

    /// What tables are laid out for.
    var page: Output.Page { .standardOutput(colour) }

    /// Connects; a command does so once, when it knows what to ask.
    func daemon() throws(ClientError) -> Daemon {
        try Daemon(socketPath: socketPath, words: words)
    }
}
