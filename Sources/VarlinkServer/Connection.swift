internal import Dispatch
internal import Glibc
package import Varlink

/// One client's socket, driven by the server's queue.
///
/// Bound to that queue: every call into it, and every call it makes, comes from there.
final class Connection {
    private static let readBytes = 64 << 10

    let descriptor: Int32
    private var machine: ServerConnection
    private let readSource: any DispatchSourceRead
    private let writeSource: any DispatchSourceWrite
    private var isReading = true
    private var isWriting = false
    private var isClosed = false
    private var isAdvancing = false
    /// When a byte last came or went, on the clock that does not jump.
    private(set) var lastActivity = DispatchTime.now()

    private let handle: (MethodCall, Responder) -> Void
    private let didClose: (Connection) -> Void

    /// Takes over `descriptor`, which is non-blocking.
    init(
        descriptor: Int32, queue: DispatchQueue, machine: ServerConnection,
        handle: @escaping (MethodCall, Responder) -> Void, didClose: @escaping (Connection) -> Void
    ) {
        self.descriptor = descriptor
        self.machine = machine
        self.handle = handle
        self.didClose = didClose
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        writeSource = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    }

    /// The sources hold the connection until it is closed.
    func start() {
        readSource.setEventHandler { self.read() }
        writeSource.setEventHandler { self.write() }
        // The descriptor is closed only after both sources have let go of it.
        let descriptor = descriptor
        readSource.setCancelHandler { [writeSource] in writeSource.cancel() }
        writeSource.setCancelHandler { Glibc.close(descriptor) }
        readSource.resume()
    }

    // MARK: - In

    private func read() {
        lastActivity = .now()
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
            result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            count = max(result, 0)
        }
        if result > 0 {
            machine.receive(chunk)
        } else if result == 0 {
            machine.receiveEnd()
        } else if errno == EAGAIN || errno == EINTR {
            return
        } else {
            return close()
        }
        advance()
    }

    /// Hands out calls until one waits for its reply, then sends what there is to send.
    private func advance() {
        guard !isAdvancing, !isClosed else { return }
        isAdvancing = true
        while !isClosed, let call = machine.nextCall() {
            handle(call, Responder(connection: self, call: call))
        }
        isAdvancing = false
        write()
    }

    // MARK: - Out

    func reply(_ message: [UInt8], continues: Bool) {
        guard !isClosed else { return }
        machine.reply(message, continues: continues)
        advance()
    }

    private func write() {
        guard !isClosed else { return }
        while !machine.output.isEmpty {
            let count = machine.output.withUnsafeBytes { buffer in
                // A client that has left is an ordinary event, not a SIGPIPE.
                send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                lastActivity = .now()
                machine.discardOutput(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return close()
            }
        }
        if machine.isFinished { return close() }
        setReading(machine.wantsInput)
        setWriting(!machine.output.isEmpty)
    }

    private func setReading(_ wanted: Bool) {
        guard wanted != isReading else { return }
        isReading = wanted
        if wanted { readSource.resume() } else { readSource.suspend() }
    }

    private func setWriting(_ wanted: Bool) {
        guard wanted != isWriting else { return }
        isWriting = wanted
        if wanted { writeSource.resume() } else { writeSource.suspend() }
    }

    // MARK: - End

    func close() {
        guard !isClosed else { return }
        isClosed = true
        // A cancelled source must not be suspended, or its handler never runs.
        setReading(true)
        setWriting(true)
        readSource.cancel()
        didClose(self)
    }
}

/// Where the answer to one call goes.
///
/// It may be used later, but only on the server's queue. When the client has left, answers go nowhere.
package struct Responder {
    private let connection: Connection
    package let call: MethodCall

    init(connection: Connection, call: MethodCall) {
        self.connection = connection
        self.call = call
    }

    /// Sends one reply, whose parameters `body` writes; with `continues` another one follows.
    package func reply(continues: Bool = false, _ body: (inout JSONWriter) -> Void) {
        connection.reply(MethodReply.bytes(continues: continues, body), continues: continues)
    }

    package func fail(_ error: String, _ body: (inout JSONWriter) -> Void) {
        connection.reply(MethodReply.bytes(error: error, body), continues: false)
    }
}
