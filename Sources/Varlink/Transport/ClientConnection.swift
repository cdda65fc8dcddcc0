internal import Glibc
package import Platform

/// A blocking connection to a Varlink service, for one call and its replies at a time.
package final class ClientConnection {
    private let descriptor: Int32
    private let address: UnixAddress
    private var decoder = FrameDecoder(messageBytesLimit: ClientConnection.replyBytesLimit)

    /// The maximum size of a reply. A reply may contain many items, and the daemon limits its replies.
    package static let replyBytesLimit = 64 << 20
    private static let readBytes = 64 << 10
    private static let waitMilliseconds: Int32 = 100

    package init(to address: UnixAddress) throws(SystemError) {
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("create a socket") }
        let socket = descriptor
        guard address.withSocketAddress({ connect(socket, $0, $1) }) == 0 else {
            let error = SystemError("connect to \(address)")
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Sends the bytes of a call. Read the replies with `nextReply`.
    ///
    /// - Parameter onIdle: called repeatedly while the service does not read. An error that it throws
    ///   ends the wait.
    package func send(_ call: [UInt8], onIdle: (() throws -> Void)? = nil) throws {
        try sendBytes(call + [FrameDecoder.Terminator.nul.rawValue], onIdle: onIdle)
    }

    /// Sends bytes unchanged: part of a call, or several calls.
    package func sendBytes(_ bytes: [UInt8], onIdle: (() throws -> Void)? = nil) throws {
        let flags = Int32(MSG_NOSIGNAL) | (onIdle == nil ? 0 : Int32(MSG_DONTWAIT))
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN, let onIdle {
                    if !isReady(for: POLLOUT, within: Self.waitMilliseconds) { try onIdle() }
                    continue
                }
                // A service that hangs up may have sent a reason first, which is then read as the reply.
                if errno == EPIPE || errno == ECONNRESET { return }
                throw SystemError("send to \(address)")
            }
            sent += count
        }
    }

    /// Waits for one reply. Throws `HungUp` if the service closes the connection first.
    ///
    /// - Parameter onIdle: called repeatedly until the reply arrives. An error that it throws ends the
    ///   wait.
    package func nextReply(onIdle: (() throws -> Void)? = nil) throws -> MethodReply {
        while true {
            if let message = try decoder.next() { return try MethodReply(message: message) }
            if let onIdle, !hasInput(within: Self.waitMilliseconds) {
                try onIdle()
                continue
            }
            var result = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
                result = read(descriptor, buffer.baseAddress, buffer.count)
                count = max(result, 0)
            }
            if result < 0 {
                if errno == EINTR { continue }
                if errno == ECONNRESET { throw HungUp() }
                throw SystemError("read from \(address)")
            }
            if result == 0 { throw HungUp() }
            chunk.withUnsafeBufferPointer { decoder.append($0) }
        }
    }

    /// Whether there is something to read or the service has closed the connection.
    package func hasInput(within milliseconds: Int32) -> Bool {
        isReady(for: POLLIN, within: milliseconds)
    }

    private func isReady(for event: Int32, within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&state, 1, milliseconds) > 0
    }

    /// The service closed the connection before it replied, or was killed.
    package struct HungUp: Error, CustomStringConvertible {
        package var description: String { "the connection ended before the daemon answered" }
    }
}
