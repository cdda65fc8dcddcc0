internal import Foundation
internal import TestProcesses

/// A certificate authority for tests, with certificates for a server on this machine.
package final class TestCertificates: Sendable {
    /// The paths of a certificate and of its key.
    package struct Pair: Sendable {
        package let certificate: String
        package let key: String
    }

    private let directory: URL

    package init() throws {
        directory = URL(filePath: "\(TestRun.directoryPrefix)certificates-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=todod test authority", "-keyout", path("authority.key"), "-out", authority)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The path of the authority's certificate.
    package var authority: String { path("authority.pem") }

    /// Makes a certificate for a host or an address such as `IP:127.0.0.1` or `DNS:example.org`.
    package func pair(for name: String, isExpired: Bool = false) throws -> Pair {
        let id = String(UUID().uuidString.prefix(8))
        let pair = Pair(certificate: path("\(id).pem"), key: path("\(id).key"))
        let request = path("\(id).csr")
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=todod test server", "-addext", "subjectAltName=\(name)", "-keyout", pair.key, "-out", request
        )
        try openssl(
            "x509", "-req", "-in", request, "-CA", authority, "-CAkey", path("authority.key"),
            "-CAcreateserial",
            "-copy_extensions", "copy", "-days", isExpired ? "-1" : "2", "-out", pair.certificate)
        return pair
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.runGuarded()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TestServer.CannotStart(description: "openssl \(arguments.joined(separator: " ")) failed")
        }
    }
}
