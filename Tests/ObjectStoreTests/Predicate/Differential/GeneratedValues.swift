import CivilTime
import ObjectStore

/// Values that are likely to be compared wrongly: extremes, neighbors, and equal text in different scalars.
enum GeneratedValues {
    static func value(_ type: AttributeType, _ source: inout ChoiceSource) -> AttributeValue {
        switch type {
        case .string: .string(source.pick(texts))
        case .integer16: .integer(source.pick([0, 1, -1, 2, 5, 7, Int64(Int16.min), Int64(Int16.max)]))
        case .integer32: .integer(source.pick([0, 1, -1, 2, 5, 7, Int64(Int32.min), Int64(Int32.max)]))
        case .integer64: .integer(source.pick(integers))
        case .double: .double(source.pick(doubles))
        case .decimal: .decimal(source.pick(decimals))
        case .boolean: .boolean(source.chance(1, in: 2))
        case .date: .date(Timestamp(secondsSince1970: source.pick(dates)))
        case .binary: .binary(source.pick([[], [0], [1, 2], [0xFF, 0]]))
        case .uuid:
            .uuid(
                UUIDValue(high: UInt64(source.number(below: 3)) << 60, low: UInt64(source.number(below: 3))))
        case .uri: .uri(source.pick(["http://a/", "urn:x", "http://é/", "http://e\u{301}/"]))
        }
    }

    /// A list of up to three values that have a place in it.
    static func list(of type: AttributeType, _ source: inout ChoiceSource) -> AttributeValue {
        var elements: [AttributeValue] = []
        for _ in 0..<source.number(below: 4) {
            let element = value(type, &source)
            if AttributeDescription.list("list", of: type, default: [element]).defaultValue != .string("") {
                elements.append(element)
            }
        }
        return AttributeDescription.list("list", of: type, default: elements).defaultValue
    }

    static let texts = [
        "", "a", "A", "b", "ab", "AB", "aB", "abc", "pay", "Pay", "payment", "the pay", "é", "e\u{301}", "É",
        "e", "E",
        "éa", "ea", "ß", "ss", "SS", "ſ", "s", "İ", "i", "I", "ı", "\u{212B}", "\u{C5}", "a\u{30A}", "Σ", "ς",
        "σ",
        "100%", "a*b", "a?b", "axb", "\\", "a\\b", "'", "\"", "a\u{0}b", "a\u{0}c", "\u{1F600}", "\u{1F600}a",
        "👩‍👩‍👧",
        "\u{AC00}", "\u{1100}\u{1161}", "\u{10FFFF}", "\u{10FFFF}a", "\u{D7FF}", "\u{E000}", "a\nb", " a",
        "a ", "12", "-1",
        "1.5", "x\u{301}\u{323}", "x\u{323}\u{301}", "\u{301}", "ﬁ", "fi", "Ǆ", "ǆ",
    ]

    private static let integers: [Int64] = [
        0, 1, -1, 2, 3, 5, 7, 10, .min, .max, .max - 1, .min + 1, 9_007_199_254_740_993,
        9_007_199_254_740_992,
    ]

    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.5, 2.5, -1.5, 3, 7, 0.1, 1e15, 9_007_199_254_740_992, 9.3e18, -9.3e18, 1e300,
        -1e300, .leastNonzeroMagnitude,
        .infinity, -.infinity, 0x1p63, 1_795_196_549.123_456_7,
    ]

    /// Numbers that are ordered differently from their texts, and numbers with more digits than a double or
    /// an integer has.
    private static let decimals = [
        "0", "1", "-1.5", "12345678901234567890.5", "0.1", "9", "10", "100", "9.99", "-2", "-10", "-0.5",
        "0.05",
        "0.0000000001", "-0.05", "-100", "-1", "99999999999999999999", "100000000000000000000", "1000000000",
        "999999999.999999999", "-12345678901234567890.5", "0.3",
    ]

    private static let dates = [
        0, 1, -1, 0.5, 1_795_196_549, 1_795_196_549.25, 1_795_196_549.123_456_7, -1e9, 978_307_200,
    ]

    static let patterns = [
        "a", "a.*", ".*", ".", "é", "e", "[a-c]+", "(?i)A", "\\w+", "\\d+", "a|ab", "", "a\\*b", "\\\\",
        "[^a]", "^a$", "(a|b)*",
    ]

    static let searches = [
        "a", "a*", "b*", "p*", "pay", "the pay", "pay the", "\"the pay\"", "e", "e*", "e\u{301}", "a*b",
        "a\\b", "*", "\"",
        "100", "f*", "ß", "ss", "i", "i*", "İ", "ı", "σ", "\u{AC00}", "\u{1100}\u{1161}", "a\u{0}b", "1*",
        "\u{1F600}", "s*",
    ]

    static let likes = [
        "*", "?", "a*", "*a", "*a*", "a?b", "?b", "\\*", "a\\*b", "pay*", "p*y", "é*", "e?", "", "a", "??",
        "*é", "\u{10FFFF}*", "\\",
        "PAY*",
    ]
}
