import Glibc

/// A program that runs beside the benchmark.
final class Program {
    let processID: pid_t

    init(_ words: [String]) {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var processID: pid_t = 0
        guard posix_spawn(&processID, words[0], nil, nil, &arguments, environ) == 0 else {
            fatalError("cannot run \(words[0])")
        }
        self.processID = processID
    }

    func stop() {
        kill(processID, SIGTERM)
        var status: Int32 = 0
        waitpid(processID, &status, 0)
    }

    func waitForSocket(_ path: String) {
        let deadline = ContinuousClock.now + .seconds(20)
        while access(path, F_OK) != 0 {
            guard ContinuousClock.now < deadline else { fatalError("nobody listens at \(path)") }
            usleep(1_000)
        }
    }

    /// The resident memory, now and at its maximum, in megabytes.
    var residentMegabytes: (now: Double, most: Double) {
        (field("VmRSS:") / 1e3, field("VmHWM:") / 1e3)
    }

    private func field(_ name: String) -> Double {
        guard let file = fopen("/proc/\(processID)/status", "r") else { return .nan }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
            if words.first == Substring(name), words.count > 1 { return Double(words[1]) ?? .nan }
        }
        return .nan
    }
}
