package import Dispatch
internal import Glibc
package import Varlink

/// Serves Varlink on a listening socket: accepts the owner's connections and hands each call to `handle`.
///
/// Everything happens on the queue it is given.
package final class Server {
    /// Enough for every shell, script and status bar of one person; each costs at most a few megabytes.
    package static let connectionsLimit = 128

    private let listener: UnixListener
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private let brokenMessageError: String
    private let handle: (MethodCall, Responder) -> Void
    private var connections: [ObjectIdentifier: Connection] = [:]

    package init(
        listener: UnixListener, queue: DispatchQueue, brokenMessageError: String,
        handle: @escaping (MethodCall, Responder) -> Void
    ) {
        self.listener = listener
        self.queue = queue
        self.brokenMessageError = brokenMessageError
        self.handle = handle
        source = DispatchSource.makeReadSource(fileDescriptor: listener.descriptor, queue: queue)
    }

    package var connectionCount: Int { connections.count }

    package func start() {
        source.setEventHandler { self.accept() }
        source.resume()
    }

    /// Takes no more calls and closes every connection; what was answered has been handed to the system already.
    package func stop() {
        source.cancel()
        for connection in connections.values { connection.close() }
        listener.close()
    }

    private func accept() {
        while let peer = listener.accept() {
            // Only the owner may come in; root has no business here either, he has the files.
            guard peer.userID == getuid(), connections.count < Self.connectionsLimit else {
                close(peer.descriptor)
                continue
            }
            let connection = Connection(
                descriptor: peer.descriptor, queue: queue,
                machine: ServerConnection(brokenMessageError: brokenMessageError), handle: handle,
                didClose: { [weak self] in self?.connections[ObjectIdentifier($0)] = nil })
            connections[ObjectIdentifier(connection)] = connection
            connection.start()
        }
    }
}
