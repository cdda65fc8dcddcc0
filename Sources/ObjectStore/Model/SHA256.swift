/// SHA-256 of FIPS 180-4, for version hashes: anyone can check them with `sha256sum`.
package enum SHA256 {
    package static func hexadecimal(of text: String) -> String {
        var state = initialState
        var message = Array(text.utf8)
        let bitCount = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        for start in stride(from: 0, to: message.count, by: 64) {
            mix(message[start..<start + 64], into: &state)
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var schedule = [UInt32](repeating: 0, count: 64)
        for (offset, byte) in block.enumerated() {
            schedule[offset / 4] = schedule[offset / 4] << 8 | UInt32(byte)
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let sum = h &+ high &+ choice &+ roundConstants[index] &+ schedule[index]
            let low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ sum)
            (d, c, b, a) = (c, b, a, sum &+ low &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
            state[index] &+= word
        }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
    private static let initialState = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let roundConstants = primes.map { fraction(of: cubeRoot(of: Double($0))) }

    private static let primes: [Int] = (2...311).filter { number in
        !(2..<number).contains { number.isMultiple(of: $0) }
    }

    private static func fraction(of number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }

    private static func cubeRoot(of number: Double) -> Double {
        var root = number.squareRoot()
        for _ in 0..<60 {
            root -= (root * root * root - number) / (3 * root * root)
        }
        return root
    }
}
