func seconds(_ work: () -> Void) -> Double {
    let elapsed = ContinuousClock().measure(work)
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
}

func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? .nan : numbers.sorted()[numbers.count / 2]
}

func rounded(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
