internal import Foundation

/// A proxy with encryption and HTTP/2 in front of a server, as larger providers have one.
package final class HTTP2Proxy: Sendable {
    private let process: ListeningProcess

    package init(to server: TestServer, certificate: TestCertificates.Pair) throws {
        process = try ListeningProcess("nghttpx", program: "/usr/sbin/nghttpx") { _, port in
            [
                "--conf=/dev/null", "--workers=1", "--no-ocsp", "--frontend=127.0.0.1,\(port)",
                "--backend=127.0.0.1,\(server.port)", "--accesslog-file=/dev/stdout",
                "--accesslog-format=$request", certificate.key,
                certificate.certificate,
            ]
        }
    }

    package var url: String { "https://127.0.0.1:\(process.port)/" }

    /// The requests so far, such as `PUT /ann/tasks/1.ics HTTP/2`.
    package var requests: [String] {
        process.output.split(separator: "\n").map(String.init).filter { $0.contains(" HTTP/") }
    }
}
