import Dispatch
import Glibc

/// The least that a server on Dispatch does. It has a read source for each connection and a serial queue, and
/// sends all bytes back. If it has a log, it first writes a block to the disk.
enum EchoServer {
    static let verb = "--echo"

    static func run(path: String, log: String?) -> Never {
        let disk = log.map(Disk.init)
        let listener = Wire.listen(path)
        let queue = DispatchQueue(label: "echo")
        let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        source.setEventHandler { @Sendable in
            let peer = accept(listener, nil, nil)
            let reader = DispatchSource.makeReadSource(fileDescriptor: peer, queue: queue)
            reader.setEventHandler {
                let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                    count = max(0, read(peer, buffer.baseAddress, buffer.count))
                }
                guard !bytes.isEmpty else { exit(0) }
                disk?.synchronize()
                Wire.send(bytes, to: peer)
                // The handler keeps its source.
                withExtendedLifetime(reader) {}
            }
            reader.resume()
        }
        source.resume()
        dispatchMain()
    }
}
