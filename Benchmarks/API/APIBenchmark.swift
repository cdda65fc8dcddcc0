import Glibc

/// The costs of the socket API, relative to the speed of the machine in the same minute.
struct APIBenchmark {
    private static let rounds = 7

    let directory: String
    let daemon: Program

    private var socket: String { "\(directory)/s" }

    func run(_ filter: String) {
        let works: [(String, () -> Void)] = [
            ("add", { adds() }), ("get", get),
            ("import", { ImportBenchmark(socket: socket).run() }), ("list", list),
        ]
        for (name, work) in works where filter.isEmpty || name.contains(filter) { work() }
    }

    // MARK: - Durable adds

    private func adds() {
        for (connections, pipelined, limit) in [(1, 1, 0.7), (16, 1, 4), (64, 1, 7), (1, 16, 4)] {
            var floors: [Double] = []
            var rates: [Double] = []
            var bareRates: [Double] = []
            var echoRates: [Double] = []
            _ = addRate(connections: 1, pipelined: 1)
            let bare = BareRows(like: "\(directory)/todo.sqlite", in: directory)
            for _ in 0..<Self.rounds {
                floors.append(synchronizations())
                rates.append(addRate(connections: connections, pipelined: pipelined))
                bareRates.append(bareRate(bare, atOnce: connections * pipelined))
                if connections * pipelined == 1 { echoRates.append(durableEchoRate()) }
            }
            let ratio = median(zip(rates, floors).map { $0 / $1 })
            let bareRatio = median(zip(bareRates, floors).map { $0 / $1 })
            let name =
                pipelined > 1
                ? "\(pipelined) AddItem sent at once"
                : "AddItem on \(connections) connection\(connections > 1 ? "s" : "")"
            print(
                "| \(name) | \(Int(median(floors))) fdatasync/s | \(Int(median(rates)))/s "
                    + "| \(rounded(ratio))\(ratio < limit ? " (under)" : "") | \(limit) |")
            print(
                "| its rows by SQLite alone, \(connections * pipelined) in a COMMIT | \(Int(median(floors))) fdatasync/s "
                    + "| \(Int(median(bareRates)))/s | \(rounded(bareRatio)) | |")
            guard !echoRates.isEmpty else { continue }
            let echoRatio = median(zip(echoRates, floors).map { $0 / $1 })
            print(
                "| the calls echoed, each after its fdatasync | \(Int(median(floors))) fdatasync/s "
                    + "| \(Int(median(echoRates)))/s | \(rounded(echoRatio)) | |")
        }
    }

    /// The number of items a second that SQLite alone can add, with `count` items in a commit.
    private func bareRate(_ bare: BareRows, atOnce count: Int) -> Double {
        let commits = max(20, 400 / count)
        return Double(commits * count) / seconds { for _ in 0..<commits { bare.commit(count) } }
    }

    /// The number of times a second that a block can be written to the disk.
    private func synchronizations() -> Double {
        let disk = Disk("\(directory)/floor")
        let count = 200
        return Double(count) / seconds { for _ in 0..<count { disk.synchronize() } }
    }

    /// The number of calls a second of a server that only writes a block to the disk for each call.
    private func durableEchoRate() -> Double {
        let path = "\(directory)/durable"
        unlink(path)
        let echo = Program([CommandLine.arguments[0], EchoServer.verb, path, "\(directory)/log"])
        defer { echo.stop() }
        echo.waitForSocket(path)
        return addRate(connections: 1, pipelined: 1, to: path)
    }

    private func addRate(connections: Int, pipelined: Int, to path: String? = nil) -> Double {
        let call =
            Array(
                #"{"method":"dev.todod.Todo.AddItem","parameters":{"name":"Water the plants on the balcony"}}"#
                    .utf8) + [0]
        let calls = Array(repeatElement(call, count: pipelined).joined())
        let sockets = (0..<connections).map { _ in Wire.connect(path ?? socket) }
        defer { for descriptor in sockets { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let total = max(400, connections * pipelined * 20)
        var sent = 0
        var done = 0
        let time = seconds {
            var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            for descriptor in sockets {
                Wire.send(calls, to: descriptor)
                sent += pipelined
            }
            while done < sent {
                poll(&polled, nfds_t(polled.count), -1)
                for entry in polled where entry.revents != 0 {
                    _ = Wire.receive(pipelined, from: entry.fd, into: &buffer)
                    done += pipelined
                    guard sent < total else { continue }
                    Wire.send(calls, to: entry.fd)
                    sent += pipelined
                }
            }
        }
        return Double(done) / time
    }

    // MARK: - Reading

    private func get() {
        let echoPath = "\(directory)/echo"
        let echo = Program([CommandLine.arguments[0], EchoServer.verb, echoPath])
        echo.waitForSocket(echoPath)
        let (plain, ours) = (Wire.connect(echoPath), Wire.connect(socket))
        // The first item is added here because the add benchmark may be filtered out.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        Wire.send(
            Array(#"{"method":"dev.todod.Todo.AddItem","parameters":{"name":"First"}}"#.utf8) + [0], to: ours)
        _ = Wire.receive(1, from: ours, into: &buffer)
        let call = Array(#"{"method":"dev.todod.Todo.GetItem","parameters":{"id":1}}"#.utf8) + [0]
        var pairs: [(Double, Double)] = []
        for _ in 0..<Self.rounds { pairs.append((middleTime(call, plain), middleTime(call, ours))) }
        close(plain)
        close(ours)
        echo.stop()
        let ratio = median(pairs.map { $1 / $0 })
        print(
            "| GetItem, median call | \(rounded(median(pairs.map(\.0)) * 1e6)) us echoed | "
                + "\(rounded(median(pairs.map(\.1)) * 1e6)) us | \(rounded(ratio))\(ratio > 2 ? " (over)" : "") | 2 |"
        )
    }

    private func middleTime(_ call: [UInt8], _ descriptor: Int32) -> Double {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return median(
            (0..<2_000).map { _ in
                seconds {
                    Wire.send(call, to: descriptor)
                    _ = Wire.receive(1, from: descriptor, into: &buffer)
                }
            })
    }

    private func list() {
        let itemCount = 100_000
        let descriptor = Wire.connect(socket)
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let calls = Array(
            (0..<500).map {
                #"{"method":"dev.todod.Todo.AddItem","parameters":{"name":"Item \#($0) of a long list","due":"2031-01-01T09:00:00Z"}}"#
                    + "\0"
            }.joined().utf8)
        for _ in 0..<itemCount / 500 {
            Wire.send(calls, to: descriptor)
            _ = Wire.receive(500, from: descriptor, into: &buffer)
        }
        let before = daemon.residentMegabytes
        let call = Array(#"{"method":"dev.todod.Todo.ListItems","more":true}"#.utf8) + [0]
        var rates: [Double] = []
        for _ in 0..<Self.rounds {
            Wire.send(call, to: descriptor)
            var bytes = 0
            let time = seconds { bytes = lastReply(descriptor, &buffer) }
            rates.append(Double(bytes) / 1e6 / time)
        }
        let after = daemon.residentMegabytes
        print(
            "| ListItems of more than \(itemCount) | \(rounded(before.most)) MB resident | \(Int(median(rates))) MB/s, "
                + "\(rounded(after.most)) MB resident at most | | 100 MB/s |")
    }

    /// Reads replies up to the one that does not continue.
    private func lastReply(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        let mark = Array(#""continues":true}"#.utf8)
        var total = 0
        var tail: [UInt8] = []
        while true {
            let read = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard read > 0 else { fatalError("the daemon hung up") }
            total += read
            tail = Array((tail + buffer[..<read].suffix(32)).suffix(32))
            if tail.last == 0, !tail.dropLast().suffix(mark.count).elementsEqual(mark) { return total }
        }
    }
}
