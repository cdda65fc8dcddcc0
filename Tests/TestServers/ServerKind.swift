internal import Foundation

/// A CalDAV server that tests start, in a version.
package enum ServerKind: String, CaseIterable, Sendable {
    /// Radicale as Debian packages it.
    case radicaleOfDebian
    case radicale
    /// Xandikos as Debian packages it. It accepts every password.
    case xandikosOfDebian
    case xandikos

    package var isRadicale: Bool { self == .radicale || self == .radicaleOfDebian }

    /// Whether the server is a package of Debian, and not installed from PyPI into an environment in `build`.
    package var isOfDebian: Bool { self == .radicaleOfDebian || self == .xandikosOfDebian }

    /// The path of the user's home.
    package var homePath: String { isRadicale ? "/ann/" : "/ann/calendars/" }

    /// Returns the arguments of Python that run the server, and writes its configuration.
    func arguments(directory: URL, port: Int, certificate: TestCertificates.Pair?) throws -> [String] {
        guard isRadicale else {
            return [
                "-m", "xandikos.web", "-d", directory.path + "/store", "--defaults", "-l", "127.0.0.1", "-p",
                "\(port)", "--current-user-principal", "/ann/",
            ]
        }
        try "\(TestServer.user):\(TestServer.password)\n".write(
            to: directory.appending(path: "users"), atomically: true, encoding: .utf8)
        let encryption = certificate.map {
            "ssl = True\ncertificate = \($0.certificate)\nkey = \($0.key)\n"
        }
        let configuration = """
            [server]
            hosts = 127.0.0.1:\(port)
            \(encryption ?? "")
            [auth]
            type = htpasswd
            htpasswd_filename = \(directory.path)/users
            htpasswd_encryption = plain
            delay = 0
            [storage]
            filesystem_folder = \(directory.path)/store
            """
        let file = directory.appending(path: "configuration")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        return ["-m", "radicale", "--config", file.path]
    }
}
