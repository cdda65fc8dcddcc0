/// One line of the table: the work, the times of both sides, and their ratio.
struct Measurement {
    let name: String
    /// Seconds, one for each round.
    let raw: [Double]
    let ours: [Double]
    let limit: Double

    static let header = [
        "| work | libpq | ObjectStore | ratio | limit |", "| --- | ---: | ---: | ---: | ---: |",
    ]

    /// The median of the ratios of the rounds. The two times of a round were measured one right after the other.
    var line: String {
        let ratio = Self.median(zip(ours, raw).map { $0 / $1 })
        return "| \(name) | \(Self.text(Self.median(raw))) | \(Self.text(Self.median(ours))) | "
            + "\(Self.rounded(ratio))\(ratio > limit ? " (over)" : "") | \(Self.rounded(limit)) |"
    }

    /// Runs two ways of doing the same work in turns, so that other activity of the machine affects both.
    init(
        _ name: String, limit: Double, rounds: Int = 9, before: () throws -> Void = {},
        raw: () throws -> Void, ours: () throws -> Void
    ) rethrows {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        for round in 0..<rounds {
            for isRaw in [round.isMultiple(of: 2), !round.isMultiple(of: 2)] {
                try before()
                let start = ContinuousClock.now
                if isRaw { try raw() } else { try ours() }
                let parts = (ContinuousClock.now - start).components
                let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
                if isRaw { times.raw.append(seconds) } else { times.ours.append(seconds) }
            }
        }
        self.name = name
        self.limit = limit
        (self.raw, self.ours) = times
    }

    private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

    private static func text(_ seconds: Double) -> String {
        seconds < 1 ? "\(rounded(seconds * 1e3)) ms" : "\(rounded(seconds)) s"
    }

    private static func rounded(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Hides the number from the optimizer, so that the work is not removed.
@inline(never)
func keep(_ number: Int64) {
    withExtendedLifetime(number) {}
}
