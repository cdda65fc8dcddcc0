internal import Glibc

/// The environment variables, the user and the number of this process.
package enum Environment {
    /// Returns the value of an environment variable, or `nil` if it is not set.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Sets an environment variable, unless it is set already.
    package static func setDefault(_ name: String, to value: String) {
        setenv(name, value, 0)
    }

    package static var processID: Int32 { getpid() }

    package static var userID: UInt32 { getuid() }

    package static var groupID: UInt32 { getegid() }

    /// Returns the name of a user, or `nil` if the user has none.
    package static func userName(ofID userID: UInt32) -> String? {
        getpwuid(userID).map { String(cString: $0.pointee.pw_name) }
    }

    /// The home directory of the user.
    package static func home() -> String {
        if let home = variable("HOME"), home.hasPrefix("/") { return home }
        return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }
}
