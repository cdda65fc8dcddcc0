/// The sum of decimal numbers of any length, without rounding. The order of the numbers does not matter.
///
/// Positive and negative numbers are added up separately, so that only one subtraction is needed, at the end.
struct DecimalSum {
    private var positive = Magnitude()
    private var negative = Magnitude()
    private(set) var isEmpty = true

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { text in
            guard let number = DecimalDigits(utf8: text) else { return }
            isEmpty = false
            if number.isNegative { negative.add(number) } else { positive.add(number) }
        }
    }

    /// The sum in the form of `DecimalValue.text`, or `0` if no number was added.
    var text: String {
        var (greater, lesser) = (positive, negative)
        Magnitude.align(&greater, &lesser)
        let isNegative = greater.isLess(than: lesser)
        if isNegative { swap(&greater, &lesser) }
        greater.subtract(lesser)
        return DecimalValue((isNegative ? "-" : "") + greater.text)?.text ?? "0"
    }
}

/// A number that is not negative, in limbs of nine decimal digits.
private struct Magnitude {
    /// The digits, with the least significant limb first.
    private var limbs: [UInt32] = []
    /// The number of limbs after the decimal point.
    private var scale = 0

    private static let width = 9
    private static let base: UInt32 = 1_000_000_000

    mutating func add(_ number: DecimalDigits) {
        let behind = (number.fraction.count + Self.width - 1) / Self.width
        if behind > scale { rescale(behind) }
        var position = scale
        var digits = number.whole[...]
        while !digits.isEmpty {
            add(Self.limb(digits.suffix(Self.width)), at: position)
            digits = digits.dropLast(Self.width)
            position += 1
        }
        position = scale
        digits = number.fraction[...]
        while !digits.isEmpty {
            position -= 1
            var limb = Self.limb(digits.prefix(Self.width))
            for _ in digits.count..<max(digits.count, Self.width) { limb *= 10 }
            add(limb, at: position)
            digits = digits.dropFirst(Self.width)
        }
    }

    private mutating func add(_ limb: UInt32, at position: Int) {
        var position = position
        var carry = limb
        while carry > 0 {
            if position >= limbs.count { limbs += repeatElement(0, count: position - limbs.count + 1) }
            let sum = limbs[position] + carry
            limbs[position] = sum % Self.base
            carry = sum / Self.base
            position += 1
        }
    }

    private mutating func rescale(_ wanted: Int) {
        limbs.insert(contentsOf: repeatElement(0, count: wanted - scale), at: 0)
        scale = wanted
    }

    /// Gives both numbers the same scale and the same number of limbs.
    static func align(_ one: inout Magnitude, _ other: inout Magnitude) {
        let scale = max(one.scale, other.scale)
        one.rescale(scale)
        other.rescale(scale)
        let count = max(one.limbs.count, other.limbs.count, scale + 1)
        one.limbs += repeatElement(0, count: count - one.limbs.count)
        other.limbs += repeatElement(0, count: count - other.limbs.count)
    }

    /// Compares two aligned numbers.
    func isLess(than other: Magnitude) -> Bool {
        limbs.reversed().lexicographicallyPrecedes(other.limbs.reversed())
    }

    /// Subtracts an aligned number that is not greater.
    mutating func subtract(_ other: Magnitude) {
        var borrow: UInt32 = 0
        for position in limbs.indices {
            let taken = other.limbs[position] + borrow
            borrow = limbs[position] < taken ? 1 : 0
            limbs[position] = limbs[position] + borrow * Self.base - taken
        }
    }

    /// The number as text. It has to be aligned.
    var text: String {
        let parts = limbs.reversed().map { limb in
            let digits = String(limb)
            return String(repeating: "0", count: Self.width - digits.count) + digits
        }
        let whole = parts.prefix(limbs.count - scale).joined()
        return scale == 0 ? whole : whole + "." + parts.suffix(scale).joined()
    }

    private static func limb(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        digits.reduce(0) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    }
}
