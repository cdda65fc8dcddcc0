internal import TodoAPI

/// The options that every command accepts, before or after its verb.
struct GlobalOptions {
    private(set) var wantsJSON = false
    private(set) var colour: ColourUse?
    private(set) var socketPath: String?
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false

    static var declared: Arguments {
        Arguments.declared { arguments throws(ClientError) in
            var options = GlobalOptions()
            try options.code(&arguments)
        }
    }

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        arguments.flag("--json", &wantsJSON, help: "print the daemon's reply as JSON")
        try arguments.option(
            "--color WHEN", &colour, help: "always, never, or auto: on a terminal, unless NO_COLOR is set")
        arguments.option("--socket PATH", &socketPath, help: "connect to the daemon at PATH", kind: .file)
        arguments.flag("-h, --help", &wantsHelp, help: "show this help")
        arguments.flag("-V, --version", &wantsVersion, help: "print the version")
    }
}
