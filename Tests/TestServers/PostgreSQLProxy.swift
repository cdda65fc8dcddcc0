internal import Foundation
internal import Synchronization

/// A proxy between programs and a PostgreSQL server that cuts a connection at a COMMIT.
package final class PostgreSQLProxy: Sendable {
    /// The time at which the proxy cuts the connection.
    package enum Cut: Sendable, CaseIterable {
        /// The server gets no COMMIT.
        case beforeCommit
        /// The server has executed the COMMIT, but the client gets no answer.
        case afterCommit
        /// The server gets no COMMIT and does not notice that the connection was cut.
        case unnoticed
    }

    private struct State {
        var cut: Cut?
        var kept: [Int32] = []
    }

    private static let bufferSize = 1 << 16

    private let directory: URL
    private let server: String
    private let listener: Int32
    private let state = Mutex(State())

    /// A connection string for the administrator.
    package var connection: String { "host=\(directory.path) user=tester dbname=postgres" }

    package init(to server: PostgreSQLServer) throws {
        directory = server.directory.appending(path: "proxy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.server = "\(server.directory.path)/.s.PGSQL.5432"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.use(listener, "\(directory.path)/.s.PGSQL.5432", bind), listen(listener, 16) == 0 else {
            throw TestServer.CannotStart(description: "the proxy does not listen in \(directory.path)")
        }
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }
    }

    deinit {
        stopListening()
        close(listener)
        state.withLock { for descriptor in $0.kept { close(descriptor) } }
        try? FileManager.default.removeItem(at: directory)
    }

    /// Cuts the connection that sends the next COMMIT.
    package func cutNextCommit(_ cut: Cut) {
        state.withLock { $0.cut = cut }
    }

    /// Whether the connection was cut since the last call of `cutNextCommit`.
    package var hasCut: Bool { state.withLock { $0.cut == nil } }

    /// Refuses new connections.
    package func stopListening() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.use(upstream, server, connect) else {
            close(client)
            close(upstream)
            return
        }
        // Each direction has a thread. The one that reads from the client closes both descriptors.
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.copy(from: upstream, to: client)
            end.signal()
        }
        Thread.detachNewThread { [self] in
            while let bytes = Self.read(client) {
                guard let cut = takeCut(at: bytes) else {
                    guard Self.write(bytes, to: upstream) else { break }
                    continue
                }
                switch cut {
                case .beforeCommit: break
                case .afterCommit:
                    // No answer is passed on from now on. The server has executed the COMMIT when it closes the connection after
                    // the message that ends the session.
                    shutdown(client, Int32(SHUT_RDWR))
                    _ = Self.write(bytes + [UInt8(ascii: "X"), 0, 0, 0, 4], to: upstream)
                    end.wait()
                    end.signal()
                case .unnoticed:
                    shutdown(client, Int32(SHUT_RDWR))
                    // The other thread uses the descriptors until the server ends the session.
                    state.withLock { $0.kept += [client, upstream] }
                    return
                }
                break
            }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(upstream, Int32(SHUT_RDWR))
            end.wait()
            close(client)
            close(upstream)
        }
    }

    /// Returns the cut that bytes of a client cause.
    private func takeCut(at bytes: [UInt8]) -> Cut? {
        guard bytes.firstRange(of: Array("COMMIT\0".utf8)) != nil else { return nil }
        return state.withLock { state in
            defer { state.cut = nil }
            return state.cut
        }
    }

    // MARK: - Sockets

    private static func copy(from source: Int32, to destination: Int32) {
        // After a failure to write, the bytes of the server are read and dropped until it closes the connection.
        while let bytes = read(source) { _ = write(bytes, to: destination) }
        shutdown(destination, Int32(SHUT_RDWR))
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: bufferSize)
        let count = Foundation.recv(descriptor, &bytes, bufferSize, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func use(
        _ descriptor: Int32, _ path: String,
        _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { memory in
            guard path.utf8.count < memory.count else { return false }
            memory.copyBytes(from: path.utf8)
            return true
        }
        return fits
            && withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
    }
}
