internal import Platform
internal import TodoAPI

/// The hint after the error that no daemon answers, which depends on the cause.
struct NoDaemonHint {
    private let socketPath: String
    private let runtimeDirectory: String?
    private let defaultRuntimeDirectory: String
    private let hasDefaultRuntimeDirectory: Bool
    private let hasUnitFailed: Bool
    private let isInstalled: Bool
    /// The path at which systemd listens, or `nil` if it does not.
    private let servedPath: String?

    /// Determines why no daemon answers, from the environment and the units of systemd.
    ///
    /// - Parameter socketPath: the path at which no daemon answers.
    init(
        at socketPath: String, userID: UInt32 = Environment.userID,
        environment: (String) -> String? = Environment.variable,
        directoryExists: (String) -> Bool = FileStatus.isDirectory,
        unitHasFailed: (_ runtimeDirectory: String) -> Bool = Self.unitHasFailed,
        unitIsInstalled: (_ runtimeDirectory: String) -> Bool = Self.unitIsInstalled,
        unitIsActive: (_ runtimeDirectory: String) -> Bool = Self.unitIsActive
    ) {
        self.socketPath = socketPath
        runtimeDirectory = environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 }
        defaultRuntimeDirectory = "/run/user/\(userID)"
        hasDefaultRuntimeDirectory = directoryExists(defaultRuntimeDirectory)
        let manager = runtimeDirectory ?? defaultRuntimeDirectory
        hasUnitFailed = unitHasFailed(manager)
        isInstalled = hasUnitFailed || unitIsInstalled(manager)
        let isActive = isInstalled && !hasUnitFailed && unitIsActive(manager)
        servedPath = isActive ? "\(manager)/todod/socket" : nil
    }

    var text: String {
        if runtimeDirectory == nil, !hasDefaultRuntimeDirectory {
            return """
                You have no login session here, as in cron and su: XDG_RUNTIME_DIR is not set, and
                \(defaultRuntimeDirectory) does not exist. To run your services without a login, type once:
                  loginctl enable-linger
                Or run the daemon in another terminal:  todod
                """
        }
        if hasUnitFailed {
            return """
                Its service has failed. See why:
                  \(prefix)journalctl --user --unit=todod --lines=20
                After fixing the cause, start it again:
                  \(prefix)systemctl --user reset-failed todod.service todod.socket
                  \(prefix)systemctl --user start todod.socket todod.service
                """
        }
        if !isInstalled {
            return """
                It is not a service of your systemd. Run it in another terminal:  todod
                Or start it at every login, from its source directory:  make install enable
                """
        }
        if servedPath == socketPath {
            return """
                Its socket file was removed. To create it again:
                  \(prefix)systemctl --user stop todod.socket todod.service
                  \(prefix)systemctl --user start todod.service
                """
        }
        if let servedPath {
            return """
                The service listens at \(servedPath),
                but --socket or TODOD_SOCKET names another path.
                """
        }
        return """
            Start it:  \(prefix)systemctl --user start todod.socket todod.service
            Or run it in another terminal:  todod
            """
    }

    /// The assignment to put before `systemctl`, or an empty string if the variable is set.
    ///
    /// Without the variable, as with cron or over ssh to another user, `systemctl` does not find the user's service
    /// manager.
    private var prefix: String {
        runtimeDirectory == nil ? "XDG_RUNTIME_DIR=\(defaultRuntimeDirectory) " : ""
    }

    static func unitHasFailed(_ runtimeDirectory: String) -> Bool {
        systemctl(["--quiet", "is-failed", "todod.service", "todod.socket"], runtimeDirectory)
    }

    static func unitIsInstalled(_ runtimeDirectory: String) -> Bool {
        systemctl(["cat", "todod.socket"], runtimeDirectory)
    }

    static func unitIsActive(_ runtimeDirectory: String) -> Bool {
        systemctl(["--quiet", "is-active", "todod.socket"], runtimeDirectory)
    }

    private static func systemctl(_ arguments: [String], _ runtimeDirectory: String) -> Bool {
        Environment.setDefault("XDG_RUNTIME_DIR", to: runtimeDirectory)
        return Subprocess.run("systemctl", ["--user"] + arguments, isSilent: true) == 0
    }
}
