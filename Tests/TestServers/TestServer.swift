internal import Synchronization

/// A CalDAV server with its own directory on a free port of this machine, which ends with this object.
package final class TestServer: Sendable {
    package struct CannotStart: Error, CustomStringConvertible {
        package let description: String
    }

    package static let user = "ann"
    package static let password = "secret"

    package let kind: ServerKind
    private let isEncrypted: Bool
    private let process: ListeningProcess

    /// Starts a server, and returns when it accepts connections.
    package init(_ kind: ServerKind, certificate: TestCertificates.Pair? = nil) throws {
        self.kind = kind
        isEncrypted = certificate != nil
        let python = kind.isOfDebian ? "/usr/bin/python3" : try PythonEnvironment.python()
        process = try ListeningProcess("\(kind)", program: python) { directory, port in
            try kind.arguments(directory: directory, port: port, certificate: certificate)
        }
    }

    private static let shared = Mutex<[ServerKind: TestServer]>([:])

    /// Returns the server of that kind that all tests of this process share. Each test makes its own list.
    package static func shared(_ kind: ServerKind) throws -> TestServer {
        try shared.withLock { servers in
            if let server = servers[kind] { return server }
            let server = try TestServer(kind)
            servers[kind] = server
            return server
        }
    }

    package var port: Int { process.port }

    /// The URL of the root, with a `/` at its end.
    package var url: String { "\(isEncrypted ? "https" : "http")://127.0.0.1:\(port)/" }

    /// The URL of the user's home, which contains the lists.
    package var homeURL: String { url + kind.homePath.dropFirst() }
}
