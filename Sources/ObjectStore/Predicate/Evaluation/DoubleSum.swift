/// The exact sum of doubles, rounded once at the end. The order of the numbers does not matter, and the size of the sum does
/// not grow with their number.
///
/// The sum is a fixed-point number with a place for every bit of a finite double, from 2^-1074 to 2^1023, and for the
/// carries of 2^60 numbers.
struct DoubleSum {
    private static let limbCount = 68
    /// The exponent of the least bit.
    private static let leastExponent = -1074
    /// A limb has room for the sum of this many numbers.
    private static let numbersBeforeCarry = 1 << 30

    /// The limbs, each a multiple of 2^32 of the one before it, or none if no finite number was added. Until they are
    /// carried, they may be negative or have more than 32 bits.
    private var limbs: [Int64] = []
    /// The limbs that may differ from 0.
    private var used = 0..<0
    private var uncarried = 0
    /// The sum of the infinities, or 0 if there are none.
    private var infinities = 0.0

    var isEmpty: Bool { limbs.isEmpty && infinities == 0 }

    mutating func add(_ number: Double) {
        guard number.isFinite else {
            infinities += number
            return
        }
        // A subnormal number has the exponent of the least normal one, and no hidden bit.
        let isNormal = number.exponentBitPattern != 0
        let position = isNormal ? Int(number.exponentBitPattern) - 1 : 0
        let digits = isNormal ? number.significandBitPattern | 1 << 52 : number.significandBitPattern
        let (limb, shift) = (position / 32, UInt64(position % 32))
        if limbs.isEmpty {
            limbs = Array(repeating: 0, count: Self.limbCount)
            used = limb..<limb + 3
        } else {
            used = min(used.lowerBound, limb)..<max(used.upperBound, limb + 3)
        }
        let sign: Int64 = number.sign == .minus ? -1 : 1
        let low = digits << shift
        limbs[limb] += sign * Int64(low & 0xFFFF_FFFF)
        limbs[limb + 1] += sign * Int64(low >> 32)
        limbs[limb + 2] += sign * Int64(digits >> (64 - shift))
        uncarried += 1
        if uncarried == Self.numbersBeforeCarry {
            Self.carry(&limbs)
            used = used.lowerBound..<limbs.count
            uncarried = 0
        }
    }

    /// The sum, rounded to the nearest double, and to the even one of two. It is 0 if no number was added.
    var value: Double {
        guard infinities == 0 else { return infinities }
        // The limb after the used ones gets their carry, and the next one the sign.
        var digits = Array(limbs[used.lowerBound..<min(used.upperBound + 2, limbs.count)])
        Self.carry(&digits)
        let isNegative = (digits.last ?? 0) < 0
        if isNegative {
            for index in digits.indices { digits[index] = -digits[index] }
            Self.carry(&digits)
        }
        let magnitude = Self.rounded(digits, exponent: Self.leastExponent + 32 * used.lowerBound)
        return isNegative ? -magnitude : magnitude
    }

    /// Reduces each limb but the last to 32 bits that are not negative.
    private static func carry(_ limbs: inout [Int64]) {
        for index in limbs.indices.dropLast() {
            limbs[index + 1] += limbs[index] >> 32
            limbs[index] &= 0xFFFF_FFFF
        }
    }

    /// Returns a number that is not negative as a double.
    ///
    /// - Parameters:
    ///   - limbs: The limbs.
    ///   - exponent: The exponent of the least bit.
    private static func rounded(_ limbs: [Int64], exponent: Int) -> Double {
        guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        // Three limbs have at least 65 significant bits, which decide the rounding together with the bits below them.
        let lowest = max(top - 2, 0)
        var digits: UInt128 = 0
        for index in (lowest...top).reversed() { digits = digits << 32 | UInt128(limbs[index]) }
        let excess = max(64 - digits.leadingZeroBitCount, 0)
        var leading = UInt64(truncatingIfNeeded: digits >> UInt128(excess))
        let lost = digits & ((1 << UInt128(excess)) - 1)
        if lost != 0 || limbs[..<lowest].contains(where: { $0 != 0 }) { leading |= 1 }
        return Double(
            sign: .plus, exponent: exponent + 32 * lowest + excess, significand: Double(leading))
    }
}
