/// A decimal number taken apart: an optional sign, digits, and optionally a point and digits.
struct DecimalDigits {
    let isNegative: Bool
    /// The digits before the point and behind it, as ASCII; there is at least one before it.
    let whole: Slice<UnsafeBufferPointer<UInt8>>
    let fraction: Slice<UnsafeBufferPointer<UInt8>>

    /// Nil when the text is no number. The digits are those of `text`, and good as long as it is.
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

    /// The digits from the first that is not 0 to the last one, none of zero; and the power of ten above the first.
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

    /// The one spelling that equal numbers have in common.
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
