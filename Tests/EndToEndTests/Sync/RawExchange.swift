import Foundation

/// One request over a connection of its own and its answer, without a library that changes either.
struct RawExchange {
    struct NoAnswer: Error {
        let request: String
    }

    let status: Int
    /// The headers, with names in lower case.
    private(set) var headers: [String: String] = [:]
    let body: String

    /// Sends a request to a port of this machine, and reads the answer to its end.
    init(
        _ method: String, port: Int, path: String, headers: [String: String] = [:], body: String = ""
    ) throws {
        // A server may not answer HTTP/1.0 in chunks, and closes the connection at the end.
        var head = "\(method) \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.utf8.count)\r\n\r\n"
        let bytes = try Self.answer(to: Array("\(head)\(body)".utf8), port: port)
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw NoAnswer(request: "\(method) \(path)")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            self.headers[line[..<colon].lowercased()] = value
        }
        self.body = String(decoding: bytes[end.upperBound...], as: UTF8.self)
    }

    private static func answer(to request: [UInt8], port: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw NoAnswer(request: "port \(port)") }
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
