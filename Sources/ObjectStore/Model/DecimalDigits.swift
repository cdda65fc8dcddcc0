/// The components of a decimal number: an optional sign, digits, and optionally a point and more digits.
struct DecimalDigits {
    let isNegative: Bool
    /// The digits before the point, in ASCII. There is at least one.
    let whole: Slice<UnsafeBufferPointer<UInt8>>
    /// The digits after the point, in ASCII.
    let fraction: Slice<UnsafeBufferPointer<UInt8>>

    /// Parses `text`, or returns `nil` if it is not a decimal number. The slices are valid as long as `text` is.
    init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        var rest = text[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let point = rest.firstIndex(of: UInt8(ascii: "."))
        whole = rest[..<(point ?? rest.endIndex)]
        fraction = point.map { rest[($0 + 1)...] } ?? rest[rest.endIndex...]
        let isNumber =
            !whole.isEmpty && (point == nil || !fraction.isEmpty)
            && whole.allSatisfy(Self.isDigit) && fraction.allSatisfy(Self.isDigit)
        guard isNumber else { return nil }
    }

    /// The digits from the first to the last that is not 0, and the power of ten above the first. Zero has no digits.
    var significant: (digits: [UInt8], power: Int) {
        let zero = UInt8(ascii: "0")
        var digits = Array(whole.drop { $0 == zero })
        var power = digits.count
        if digits.isEmpty {
            let behind = fraction.drop { $0 == zero }
            power = behind.count - fraction.count
            digits = Array(behind)
        } else {
            digits += fraction
        }
        while digits.last == zero { digits.removeLast() }
        return (digits, power)
    }

    /// The normalized text, which is the same for equal numbers.
    var text: String {
        let zero = UInt8(ascii: "0")
        var digits = Array(whole.drop { $0 == zero })
        if digits.isEmpty { digits = [zero] }
        if let lastDigit = fraction.lastIndex(where: { $0 != zero }) {
            digits.append(UInt8(ascii: "."))
            digits += fraction[...lastDigit]
        }
        if isNegative && digits != [zero] { digits.insert(UInt8(ascii: "-"), at: 0) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
