import Glibc

/// Unix sockets and messages, with as little overhead as possible, because the benchmark shares the machine
/// with the programs that it measures.
enum Wire {
    static func listen(_ path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        // A client may connect as soon as the file exists, so it gets its name when the socket listens.
        let unnamed = path + ".new"
        guard withAddress(unnamed, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 16) == 0,
            rename(unnamed, path) == 0
        else {
            fatalError("cannot listen at \(path)")
        }
        return descriptor
    }

    static func connect(_ path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            fatalError("cannot connect to \(path)")
        }
        return descriptor
    }

    static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { fatalError("the other side hung up") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until `count` messages have ended, and returns their size in bytes.
    static func receive(_ count: Int, from descriptor: Int32, into buffer: inout [UInt8]) -> Int {
        var ended = 0
        var total = 0
        while ended < count {
            let read = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard read > 0 else { fatalError("the other side hung up") }
            total += read
            for index in 0..<read where buffer[index] == 0 { ended += 1 }
        }
        return total
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
