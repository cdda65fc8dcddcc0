internal import CLinux
package import Dispatch
internal import Glibc
internal import Platform

/// Reports changes of the network, and whether there is one, without timers.
///
/// All methods must be called on the queue of the watch.
package final class NetworkWatch {
    /// The time after the last message at which a change is reported. One change causes many messages.
    private static let quietMilliseconds = 500
    private static let readBytes = 64 << 10

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let changed: () -> Void

    /// Opens a routing socket, or returns `nil` if the system does not allow it.
    ///
    /// - Parameter changed: called on `queue` after a change of the interfaces, addresses or routes.
    package init?(queue: DispatchQueue, changed: @escaping () -> Void) {
        descriptor = todod_network_watch()
        guard descriptor >= 0 else { return nil }
        self.changed = changed
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.changed() }
        timer.resume()
        source.setEventHandler { [weak self] in self?.read() }
        let socket = descriptor
        source.setCancelHandler { close(socket) }
        source.resume()
    }

    deinit {
        source.cancel()
        timer.cancel()
    }

    private func read() {
        while true {
            guard let bytes = Self.receive(from: descriptor) else { return }
            // An empty datagram stands for lost messages.
            if bytes.isEmpty || NetlinkMessages(bytes).hasChange {
                timer.schedule(deadline: .now() + .milliseconds(Self.quietMilliseconds))
            }
        }
    }

    /// Returns the next datagram, an empty one if messages were lost, or `nil` if there is none.
    private static func receive(from descriptor: Int32) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: readBytes) { buffer, count in
            repeat {
                result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            } while result < 0 && errno == EINTR
            count = max(result, 0)
        }
        if result > 0 { return bytes }
        return result < 0 && errno == ENOBUFS ? [] : nil
    }

    /// Whether a route leads out of this machine, or true if the system does not say so.
    package static var hasNetwork: Bool {
        let descriptor = todod_network_watch()
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        guard todod_request_routes(descriptor) == 0 else { return true }
        var hasRoute = false
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 1_000) > 0, let bytes = receive(from: descriptor), !bytes.isEmpty {
            let messages = NetlinkMessages(bytes)
            if messages.hasRoute { hasRoute = true }
            if messages.isEndOfRoutes { return hasRoute }
        }
        return true
    }
}
