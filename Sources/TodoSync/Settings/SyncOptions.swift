internal import Platform

/// The options on the command line of `todod-sync`.
struct SyncOptions {
    enum Action: Equatable {
        case run
        case printHelp
        case printVersion
        /// Report the wrong lines of the section `[Sync]`, and end.
        case checkConfiguration
    }

    var action = Action.run
    var configurationFile: String?
    var socketPath: String?

    init(arguments: [String]) throws(CommandLineOptions.UsageError) {
        var options = CommandLineOptions(arguments)
        while let option = try options.next() {
            switch option {
            case "--help", "-h": action = .printHelp
            case "--version", "-V": action = .printVersion
            case "--check-config": action = .checkConfiguration
            case "--config", "-c": configurationFile = try options.value()
            case "--socket": socketPath = try options.value()
            default: throw CommandLineOptions.unknown(option)
            }
        }
    }

    static let help = """
        Usage: todod-sync [OPTION]...

        Synchronizes the items of todod with task lists on CalDAV servers. It runs in
        the foreground until SIGTERM or Ctrl-C. To run it as a service:
          systemctl --user enable --now todod-sync.service
        To add an account, use 'todoctl sync add'.

          -c, --config FILE   read FILE instead of ~/.config/todod/todod.conf and
                              todod.conf.d/
              --socket PATH   listen at PATH instead of $TODOD_SYNC_SOCKET or
                              $XDG_RUNTIME_DIR/todod-sync/socket
              --check-config  list the wrong lines of the section [Sync], and exit
          -h, --help          print this and exit
          -V, --version       print the version and exit

        It finds todod at $TODOD_SOCKET or $XDG_RUNTIME_DIR/todod/socket. SIGHUP reads
        the configuration again.

        Exit status: 0 stopped as requested, 78 a wrong line found by --check-config,
        1 any other error.

        """
}
