internal import Glibc

/// A blocking connection to a Varlink service: one call, then its replies.
package final class ClientConnection {
    private let descriptor: Int32
    private let address: UnixAddress
    private var decoder = FrameDecoder(messageBytesLimit: ClientConnection.replyBytesLimit)

    /// A reply may hold many items; the daemon bounds what it sends.
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

    /// Sends the bytes of a call; the replies are then read with `nextReply`.
    ///
    /// - Parameter whileWaiting: called again and again while the service takes nothing; the wait ends if it throws.
    package func send(_ call: [UInt8], whileWaiting: (() throws -> Void)? = nil) throws {
        try sendBytes(call + [FrameDecoder.Terminator.nul.rawValue], whileWaiting: whileWaiting)
    }

    /// Sends bytes as they are: part of a call, or several.
    package func sendBytes(_ bytes: [UInt8], whileWaiting: (() throws -> Void)? = nil) throws {
        let flags = Int32(MSG_NOSIGNAL) | (whileWaiting == nil ? 0 : Int32(MSG_DONTWAIT))
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN, let whileWaiting {
                    if !isReady(for: POLLOUT, within: Self.waitMilliseconds) { try whileWaiting() }
                    continue
                }
                // A service that hangs up may have said why; that is read as the reply.
                if errno == EPIPE || errno == ECONNRESET { return }
                throw SystemError("send to \(address)")
            }
            sent += count
        }
    }

    /// Waits for one reply; throws when the service hangs up before it came.
    ///
    /// - Parameter whileWaiting: called again and again until it comes; the wait ends if it throws.
    package func nextReply(whileWaiting: (() throws -> Void)? = nil) throws -> MethodReply {
        while true {
            if let message = try decoder.next() { return try MethodReply(message: message) }
            if let whileWaiting, !hasInput(within: Self.waitMilliseconds) {
                try whileWaiting()
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

    /// Whether something can be read, or the service has hung up.
    package func hasInput(within milliseconds: Int32) -> Bool {
        isReady(for: POLLIN, within: milliseconds)
    }

    private func isReady(for event: Int32, within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&state, 1, milliseconds) > 0
    }

    /// The service closed the connection before it had answered, or was killed.
    package struct HungUp: Error, CustomStringConvertible {
        package var description: String { "the connection ended before the daemon answered" }
    }
}
