import Glibc

/// One line of the table: the work, the times of both sides, and their ratio.
struct Measurement {
    let name: String
    /// Seconds, one for each round.
    let raw: [Double]
    let ours: [Double]
    let limit: Double

    /// The median of the ratios of the rounds. The two times of a round were measured one right after the
    /// other.
    var ratio: Double {
        median(zip(ours, raw).map { $0 / $1 })
    }

    static let header = [
        "| work | raw C API | ObjectStore | ratio | limit |", "| --- | ---: | ---: | ---: | ---: |",
    ]

    var line: String {
        "| \(name) | \(text(ofSeconds: median(raw))) | \(text(ofSeconds: median(ours))) | "
            + "\(rounded(ratio))\(ratio > limit ? " (over)" : "") | \(rounded(limit)) |"
    }
}

/// Runs two ways of doing the same work in turns, so that other activity of the machine affects both.
///
/// - Parameter before: Runs before each of them, and is not measured.
func compare(
    _ name: String, limit: Double, rounds: Int = 7, before: () throws -> Void = {},
    raw: () throws -> Void, ours: () throws -> Void
) rethrows -> Measurement {
    var times: (raw: [Double], ours: [Double]) = ([], [])
    for _ in 0..<rounds {
        try before()
        times.raw.append(try seconds(raw))
        try before()
        times.ours.append(try seconds(ours))
    }
    return Measurement(name: name, raw: times.raw, ours: times.ours, limit: limit)
}

func seconds(_ work: () throws -> Void) rethrows -> Double {
    let elapsed = try ContinuousClock().measure(work)
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
}

func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

func text(ofSeconds seconds: Double) -> String {
    switch seconds {
    case 1...: "\(rounded(seconds)) s"
    case 1e-3...: "\(rounded(seconds * 1e3)) ms"
    default: "\(rounded(seconds * 1e6)) us"
    }
}

func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

/// The resident memory of this process, in MB.
func residentMegabytes() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return .nan }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return .nan }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ")
    let pages = fields.count > 1 ? Double(fields[1]) ?? .nan : .nan
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
}
