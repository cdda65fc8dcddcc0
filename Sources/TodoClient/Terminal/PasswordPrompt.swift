internal import Glibc
internal import Platform

/// A question for a password. The terminal does not show the answer.
enum PasswordPrompt {
    /// The settings of the terminal before the question. The handler of signals restores them.
    nonisolated(unsafe) private static var settings = termios()

    /// Asks for a password, or returns `nil` at the end of the input.
    ///
    /// Standard input must be a terminal. Ctrl-C and other signals that end the program restore its settings.
    static func ask(_ text: String) -> String? {
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        // A stopped program, as with Ctrl-Z, would leave a shell that does not show its input.
        let stop = signal(SIGTSTP, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        Interruption.handle { number in
            PasswordPrompt.showInput()
            Interruption.end(by: number, message: "Interrupted; nothing was changed.\n")
        }
        defer {
            Interruption.endHandling()
            signal(SIGTSTP, stop)
            signal(SIGQUIT, quit)
        }
        Output.writeError(text)
        hideInput()
        let password = readLine()
        showInput()
        Output.writeError("\n")
        return password
    }

    private static func hideInput() {
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    }

    private static func showInput() { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
}
