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

        state = directory("XDG_STATE_HOME", fallback: ".local/state") + "/todod"
        let defaultRuntime = "/run/user/\(userID)"
        let runtime: String?
        if let path = environment("XDG_RUNTIME_DIR"), path.hasPrefix("/") {
            runtime = path
        } else {
            // Without a login session, as with ssh and cron, the variable is unset but the directory may
            // exist.
            runtime = directoryExists(defaultRuntime) ? defaultRuntime : nil
        }
        func socket(_ variable: String, of program: String, fallback: String) -> String {
            if let path = environment(variable), !path.isEmpty { return path }
            return runtime.map { "\($0)/\(program)/socket" } ?? fallback
        }
        self.socket = socket("TODOD_SOCKET", of: "todod", fallback: "\(state)/run/socket")
        syncSocket = socket("TODOD_SYNC_SOCKET", of: "todod-sync", fallback: "\(state)/run/sync-socket")
    }
}
