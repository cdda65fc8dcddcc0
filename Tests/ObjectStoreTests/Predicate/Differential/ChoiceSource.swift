/// Decisions for a generator. They are drawn from a seed, so that a number reproduces a case, or read from
/// the bytes of a fuzzer, so that it can steer.
struct ChoiceSource {
    private var state: UInt64
    private var bytes: ArraySlice<UInt8>

    init(seed: UInt64) {
        state = seed
        bytes = []
    }

    init(bytes: [UInt8]) {
        state = 0
        self.bytes = bytes[...]
    }

    /// A number that is evenly distributed if it is drawn from a seed. Of a fuzzer's bytes, a small choice
    /// takes one and a larger one takes two.
    mutating func number(below bound: Int) -> Int {
        precondition(bound > 0)
        if let first = bytes.popFirst() {
            let second = bound > 256 ? bytes.popFirst() ?? 0 : 0
            return (Int(first) + 256 * Int(second)) % bound
        }
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func chance(_ times: Int, in total: Int) -> Bool {
        number(below: total) < times
    }

    mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: number(below: choices.count))]
    }
}
