internal import CLinux
internal import Glibc

/// A command for the shell that prints a password.
struct PasswordCommand {
    let text: String

    /// The longest time that the command may take.
    static let secondsLimit = 30
    /// The most output that is read.
    private static let bytesLimit = 64 << 10
    /// The variables that systemd sets for this program alone.
    private static let ownVariables = ["NOTIFY_SOCKET=", "WATCHDOG_PID=", "WATCHDOG_USEC="]

    /// Runs the command, and returns the first line of its output.
    ///
    /// Blocks until the command ends. At the time limit, its process group is killed. The same happens if it prints more than
    /// `bytesLimit`.
    func read(secondsLimit: Int = secondsLimit) throws(PasswordError) -> String {
        var pipe: [Int32] = [-1, -1]
        guard todod_pipe(&pipe) == 0 else {
            throw PasswordError("the password command cannot be started: \(Self.reason(errno))")
        }
        defer { close(pipe[0]) }
        let process: pid_t
        do {
            defer { close(pipe[1]) }
            process = try start(output: pipe[1])
        }
        var output: [UInt8] = []
        let end = ContinuousClock.now + .seconds(secondsLimit)
        let isComplete = Self.read(from: pipe[0], into: &output, until: end)
        let status = isComplete ? Self.wait(for: process, until: end) : nil
        guard let status else {
            kill(-process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            throw PasswordError(
                output.count >= Self.bytesLimit
                    ? "the password command printed more than \(Self.bytesLimit) bytes; it has to print the password"
                    : "the password command did not end within \(secondsLimit) s; check whether it waits for input"
            )
        }
        guard status == 0 else {
            let end = status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
            throw PasswordError(
                "the password command failed with \(end); run it in a terminal to see the reason")
        }
        guard let line = PasswordText.firstLine(of: output) else {
            throw PasswordError("the password command printed nothing; it has to print the password")
        }
        return line
    }

    private func start(output: Int32) throws(PasswordError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // The connections to servers are not for the command.
        _ = todod_close_from(&actions, STDERR_FILENO + 1)

        // This program blocks and ignores signals, which a command does not expect.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var process: pid_t = 0
        let arguments = Self.cStrings(["/bin/sh", "-c", text])
        let environment = Self.cStrings(Self.inheritedVariables)
        defer { for text in arguments + environment { free(text) } }
        let status = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
        guard status == 0 else {
            throw PasswordError("the password command cannot be started: \(Self.reason(status))")
        }
        return process
    }

    /// Reads until the output ends. Returns false at the time limit, or if there is too much output.
    private static func read(
        from descriptor: Int32, into output: inout [UInt8], until end: ContinuousClock.Instant
    ) -> Bool {
        while output.count < bytesLimit {
            guard isReadable(descriptor, until: end) else { return false }
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: bytesLimit) { buffer, size in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                size = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return true }
            output += chunk
        }
        return false
    }

    /// Waits until a process ends, and returns its status, or `nil` at the time limit.
    private static func wait(for process: pid_t, until end: ContinuousClock.Instant) -> Int32? {
        let descriptor = todod_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor < 0 || isReadable(descriptor, until: end) else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Waits until a descriptor can be read, and returns false at the time limit.
    private static func isReadable(_ descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = (end - .now).components
            guard rest.seconds >= 0, rest.attoseconds >= 0 else { return false }
            let milliseconds = Int32(rest.seconds * 1_000 + rest.attoseconds / 1_000_000_000_000_000)
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&state, 1, milliseconds)
            if ready > 0 { return true }
            guard ready < 0, errno == EINTR else { return false }
        }
    }

    private static var inheritedVariables: [String] {
        var found: [String] = []
        var next = environ
        while let entry = next.pointee {
            found.append(String(cString: entry))
            next += 1
        }
        return found.filter { entry in !ownVariables.contains { entry.hasPrefix($0) } }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Returns copies of the strings, followed by a null pointer. The caller must free them.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
