internal import Platform
internal import TodoAPI

/// The options for the password of an account. A password itself is never an option, because other users can read
/// command lines.
struct PasswordOptions {
    /// A password, or the place from which `todod-sync` reads it.
    struct Answer {
        var password: String?
        var source: String?

        /// The place of the password in a sentence, or `nil` if none was typed.
        var place: String? {
            if password != nil { return "this password" }
            return source.map {
                $0.isEmpty ? "the PasswordCommand= of the configuration" : "the password from \($0.oneLine())"
            }
        }
    }

    private static let fileBytesLimit = 64 << 10
    /// `PasswordCommand=` of the configuration.
    private static let defaultPlace = "configuration"
    private static let sources = ["keyring", defaultPlace, "credential:", "file:", "command:"]

    private var file: String?
    private var command: String?
    private var source: String?

    mutating func code(_ arguments: inout Arguments) {
        arguments.option(
            "--password-file FILE", &file, help: "read the password from FILE now; - is standard input",
            kind: .file)
        arguments.option(
            "--password-command TEXT", &command, help: "a command line that prints the password each time")
        arguments.option(
            "--password-source PLACE", &source,
            help: "keyring, credential:NAME, file:PATH or configuration, where todod-sync reads it each time",
            kind: .choice(Self.sources))
    }

    /// Returns the password or its place from the options. Without an option, it asks on the terminal.
    func answer(askingFor prompt: String, verb: String) throws(ClientError) -> Answer {
        if let answer = try answer() { return answer }
        guard Question.isPossible else {
            throw .usage(
                "todoctl: '\(verb)' needs a password, and there is no terminal to ask on",
                hint: "Use --password-file FILE, --password-command TEXT or --password-source PLACE.")
        }
        guard let password = PasswordPrompt.ask(prompt) else { throw .refused("Nothing was changed.") }
        return Answer(password: password)
    }

    /// Returns the password or its place from the options, or `nil` if there is no such option.
    ///
    /// - Throws: an error if the options are wrong, or if the file cannot be read.
    func answer() throws(ClientError) -> Answer? {
        let typed = [file, command, source].compactMap(\.self)
        if typed.count > 1 {
            throw AddAccountCommand.usage(
                "--password-file, --password-command and --password-source cannot be combined")
        }
        if let file { return Answer(password: try Self.password(in: file)) }
        if let command {
            guard command.contains(where: { !$0.isWhitespace }) else {
                throw AddAccountCommand.usage("--password-command takes a command line, not '\(command)'")
            }
            return Answer(source: "command:\(command)")
        }
        return try source.map { source throws(ClientError) in Answer(source: try Self.place(source)) }
    }

    /// Returns the place with an absolute path, because `todod-sync` has another working directory. It is empty for
    /// `PasswordCommand=` of the configuration.
    private static func place(_ text: String) throws(ClientError) -> String {
        let name = text.drop { $0 != ":" }.dropFirst()
        let isKnown = sources.contains {
            $0.hasSuffix(":") ? text.hasPrefix($0) && !name.isEmpty : text == $0
        }
        guard isKnown else {
            throw AddAccountCommand.usage(
                "--password-source takes keyring, credential:NAME, file:PATH, command:TEXT or configuration")
        }
        guard text.hasPrefix("file:") else { return text == defaultPlace ? "" : text }
        let path = name.hasPrefix("~/") ? "\(Environment.home())/\(name.dropFirst(2))" : String(name)
        return "file:\(FileSystem.absolute(path))"
    }

    /// Returns the first line of a file. Prints a warning if other users can read the file.
    private static func password(in path: String) throws(ClientError) -> String {
        let text: String
        do throws(TextFile.Failure) {
            text = try TextFile.contents(of: path, limit: fileBytesLimit)
        } catch {
            throw .refused("todoctl: cannot read the password in \(path.oneLine()): \(error.reason)")
        }
        let password = text.prefix { !$0.isNewline }
        if password.isEmpty {
            throw .refused("todoctl: the first line of \(path.oneLine()) is empty, and so has no password")
        }
        if path != "-", let status = try? FileStatus(of: path), status.permissions & 0o077 != 0 {
            Output.printError(
                "todoctl: other users may be able to read \(path.oneLine()). To prevent this:  "
                    + ShellWord.command("chmod 600", operands: [path]))
        }
        return String(password)
    }
}
