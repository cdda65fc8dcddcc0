internal import Glibc

/// Where a user's files lie, by the XDG rules: what the environment says, else the customary places below the home.
package struct UserDirectories: Sendable {
    /// Below it lie stores: `~/.local/share/todod`.
    package let data: String
    /// Below it lies the configuration: `~/.config/todod`.
    package let configuration: String
    /// What the daemon remembers from one start to the next: `~/.local/state/todod`.
    package let state: String
    /// The socket of the daemon.
    package let socket: String

    /// `environment` gives a variable's value, nil when it is not set.
    package init(
        home: String = Self.home(), userID: UInt32 = getuid(),
        environment: (String) -> String? = Self.variable,
        directoryExists: (String) -> Bool = Self.directoryExists
    ) {
        // A relative path in these variables is to be ignored, says the specification.
        func directory(_ variable: String, _ fallback: String) -> String {
            environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
        }
        data = directory("XDG_DATA_HOME", ".local/share") + "/todod"
        configuration = directory("XDG_CONFIG_HOME", ".config") + "/todod"

        state = directory("XDG_STATE_HOME", ".local/state") + "/todod"
        let customaryRuntime = "/run/user/\(userID)"
        if let path = environment("TODOD_SOCKET"), !path.isEmpty {
            socket = path
        } else if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            socket = "\(runtime)/todod/socket"
        } else if directoryExists(customaryRuntime) {
            // Without a login session, as with ssh and cron, the variable is not set but the directory may be there.
            socket = "\(customaryRuntime)/todod/socket"
        } else {
            socket = "\(state)/run/socket"
        }
    }

    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    package static func home() -> String {
        if let home = variable("HOME"), home.hasPrefix("/") { return home }
        return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }

    package static func directoryExists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
