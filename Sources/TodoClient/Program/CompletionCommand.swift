internal import TodoAPI

/// The `completion` command, for example `todoctl completion bash`.
struct CompletionCommand: Command {
    enum Shell: String, FieldChoice {
        case bash, fish, zsh
    }

    static let verb = "completion"
    static let summary = "Print a shell's completion script for todoctl"
    static let details = "'make install' installs it for every shell."
    static let examples = [#"eval "$(todoctl completion bash)""#, "todoctl completion fish > todoctl.fish"]

    private var shell: Shell?

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("SHELL", &shell)
    }

    func run(_ session: Session) throws(ClientError) {
        switch shell {
        case .bash?: try Output.write(PackageResources.todoctl_bash)
        case .fish?: try Output.write(PackageResources.todoctl_fish)
        case .zsh?: try Output.write(PackageResources.todoctl_zsh)
        case nil: break
        }
    }

    /// Prints the candidates for the last of the words, one per line, or `:files`.
    ///
    /// The completion scripts of the shells call it.
    static func printCandidates(_ words: [String]) throws(ClientError) {
        let completion = Completion(source: DaemonCompletionSource(session: Session(GlobalOptions())))
        switch completion.answer(to: words) {
        case .files: try Output.print(":files")
        case .candidates(let candidates):
            for candidate in candidates {
                try Output.print(
                    candidate.description.isEmpty
                        ? candidate.word : "\(candidate.word)\t\(candidate.description)")
            }
        }
    }
}
