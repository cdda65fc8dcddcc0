internal import Platform

/// The directories of a user's files. Environment variables determine them as in the XDG specification, with
/// defaults below the home directory.
package struct UserDirectories: Sendable {
    /// The directory of stores: `~/.local/share/todod`.
    package let data: String
    /// The directory of the configuration: `~/.config/todod`.
    package let configuration: String
    /// The directory of the state that the daemon keeps between runs: `~/.local/state/todod`.
    package let state: String
    /// The path of the daemon's socket.
    package let socket: String
    /// The path of the socket of `todod-sync`.
    package let syncSocket: String

    /// Finds the directories.
    ///
    /// - Parameter environment: returns the value of a variable, or `nil` if it is not set.
    package init(
        home: String = Environment.home(), userID: UInt32 = Environment.userID,
        environment: (String) -> String? = Environment.variable,
        directoryExists: (String) -> Bool = FileStatus.isDirectory
    ) {
        // The specification requires relative paths in these variables to be ignored.
        func directory(_ variable: String, fallback: String) -> String {
            environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
        }
        data = directory("XDG_DATA_HOME", fallback: ".local/share") + "/todod"
        configuration = directory("XDG_CONFIG_HOME", fallback: ".config") + "/todod"

        let states = directory("XDG_STATE_HOME", fallback: ".local/state")
        state = states + "/todod"
        let defaultRuntime = "/run/user/\(userID)"
        func socketPath(_ variable: String, program: String) -> String {
            if let path = environment(variable), !path.isEmpty { return path }
            if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
                return "\(runtime)/\(program)/socket"
            }
            // Without a login session, as with ssh and cron, the variable is unset but the directory may
            // exist.
            if directoryExists(defaultRuntime) { return "\(defaultRuntime)/\(program)/socket" }
            return "\(states)/\(program)/run/socket"
        }
        socket = socketPath("TODOD_SOCKET", program: "todod")
        syncSocket = socketPath("TODOD_SYNC_SOCKET", program: "todod-sync")
    }
}
