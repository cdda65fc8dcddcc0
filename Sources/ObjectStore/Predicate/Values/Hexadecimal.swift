extension [UInt8] {
    /// Parses two hexadecimal digits for each byte. Returns `nil` for any other text.
    init?(hexadecimal text: String) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = character.hexDigitValue.map(UInt8.init) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }

    /// The bytes as two hexadecimal digits each, in upper case.
    var hexadecimal: String {
        let digits = Array<UInt8>("0123456789ABCDEF".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
