internal import Glibc

/// Another program, run as a child process.
enum Subprocess {
    /// Runs a program in this terminal with the default signal handlers, and waits for its end.
    ///
    /// - Parameters:
    ///   - isSilent: whether its standard streams are `/dev/null`.
    ///   - input: the descriptor that becomes its standard input.
    /// - Returns: the exit status, or -1 if the program could not be started or was ended by a signal.
    static func run(_ path: String, _ arguments: [String], isSilent: Bool = false, input: Int32? = nil)
        -> Int32
    {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        if isSilent {
            for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
            }
        }

        if let input { posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO) }

        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        guard posix_spawnp(&process, path, &files, &attributes, words, environ) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        let hasExited = status & 0x7F == 0
        return hasExited ? status >> 8 & 0xFF : -1
    }
}
