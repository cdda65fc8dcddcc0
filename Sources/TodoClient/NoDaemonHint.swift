internal import Glibc
internal import TodoAPI

/// What to type when nobody answers at the socket, which depends on why.
struct NoDaemonHint {
    private let runtimeDirectory: String?
    private let customaryRuntimeDirectory: String
    private let hasCustomaryRuntimeDirectory: Bool
    private let hasUnitFailed: Bool

    init(
        userID: UInt32 = getuid(), environment: (String) -> String? = UserDirectories.variable,
        directoryExists: (String) -> Bool = UserDirectories.directoryExists,
        unitHasFailed: (_ runtimeDirectory: String) -> Bool = Self.unitHasFailed
    ) {
        runtimeDirectory = environment("XDG_RUNTIME_DIR").flatMap { $0.isEmpty ? nil : $0 }
        customaryRuntimeDirectory = "/run/user/\(userID)"
        hasCustomaryRuntimeDirectory = directoryExists(customaryRuntimeDirectory)
        hasUnitFailed = unitHasFailed(runtimeDirectory ?? customaryRuntimeDirectory)
    }

    var text: String {
        if runtimeDirectory == nil, !hasCustomaryRuntimeDirectory {
            return """
                You are not logged in here, as it is with cron and su: XDG_RUNTIME_DIR is not set, and
                \(customaryRuntimeDirectory) is not there. To have your services run all the same, once:
                  loginctl enable-linger
                Or, to see what it does, in another terminal:  todod
                """
        }
        if hasUnitFailed {
            return """
                Its service has failed. See why:
                  \(prefix)journalctl --user --unit=todod --lines=20
                and when that is mended:
                  \(prefix)systemctl --user reset-failed todod.service todod.socket
                  \(prefix)systemctl --user start todod.socket
                """
        }
        return """
            Start it:  \(prefix)systemctl --user start todod.socket
            or, to see what it does, in another terminal:  todod
            """
    }

    /// Without the variable, as over ssh to another user or with cron, systemctl does not find its manager.
    private var prefix: String {
        runtimeDirectory == nil ? "XDG_RUNTIME_DIR=\(customaryRuntimeDirectory) " : ""
    }

    static func unitHasFailed(_ runtimeDirectory: String) -> Bool {
        setenv("XDG_RUNTIME_DIR", runtimeDirectory, 0)
        let arguments = ["--user", "--quiet", "is-failed", "todod.service", "todod.socket"]
        return Subprocess.run("systemctl", arguments, isSilent: true) == 0
    }
}
