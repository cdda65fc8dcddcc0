import CivilTime
import Testing

@testable import ObjectStore

@Suite struct PredicateTextTests {
    static let foldings: [(text: String, options: StringOptions, folded: String)] = [
        ("Straße", [], "Straße"), ("Straße", .caseInsensitive, "strasse"),
        ("STRASSE", .caseInsensitive, "strasse"),
        ("e\u{301}te\u{301}", [], "\u{E9}t\u{E9}"), ("\u{C9}t\u{E9}", .diacriticInsensitive, "Ete"),
        ("\u{C9}T\u{C9}", [.caseInsensitive, .diacriticInsensitive], "ete"), ("\u{212B}", [], "\u{C5}"),
        ("\u{3A3}\u{3AF}\u{3C2}", .caseInsensitive, "\u{3C3}\u{3AF}\u{3C3}"),
        ("\u{301}", .diacriticInsensitive, ""),
        ("\u{1100}\u{1161}", [], "\u{AC00}"), ("A\u{0}b", .caseInsensitive, "a\u{0}b"),
        ("", .caseInsensitive, ""),
        ("\u{130}", .caseInsensitive, "i\u{307}"), ("\u{FB01}", .caseInsensitive, "fi"),
        ("\u{F8}", .diacriticInsensitive, "\u{F8}"),
    ]

    @Test(arguments: foldings)
    func textIsFolded(_ sample: (text: String, options: StringOptions, folded: String)) {
        #expect(FoldedText(sample.text, sample.options).bytes == Array(sample.folded.utf8))
    }

    static let likes: [(pattern: String, text: String, fits: Bool)] = [
        ("abc", "abc", true), ("abc", "abcd", false), ("a*", "a", true), ("a*", "abc", true),
        ("*c", "abc", true),
        ("*b*", "abc", true), ("*x*", "abc", false), ("a?c", "abc", true), ("a?c", "ac", false),
        ("?", "\u{E9}", true),
        ("?", "e\u{301}", true), ("?", "\u{1F600}", true), ("??", "\u{E9}", false), ("*", "", true),
        ("", "", true),
        ("", "a", false), ("?*", "", false), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-c-b", false),
        ("a\\*c", "a*c", true), ("a\\*c", "abc", false), ("a\\?", "a?", true), ("a\\\\", "a\\", true),
        ("a\\", "a\\", true),
        ("**a**", "bab", true), ("*ab", "aab", true), ("*aab", "aaab", true), ("a\nb", "a\nb", true),
        ("a?b", "a\nb", true),
    ]

    @Test(arguments: likes)
    func likeMatchesWholeText(_ sample: (pattern: String, text: String, fits: Bool)) throws {
        #expect(
            try PreparedText(sample.pattern, comparator: .like, options: []).accepts(sample.text)
                == sample.fits)
    }

    @Test func likeIsLinearInNumberOfStars() throws {
        let pattern = try PreparedText(
            String(repeating: "a*", count: 200) + "b", comparator: .like, options: [])
        #expect(try !pattern.accepts(String(repeating: "a", count: 5_000)))
    }

    @Test func likeFoldsBothSides() throws {
        let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(try PreparedText("\u{C9}T?", comparator: .like, options: options).accepts("ete\u{301}"))
        #expect(try !PreparedText("\u{C9}T?", comparator: .like, options: []).accepts("ete\u{301}"))
    }

    static let expressions: [(pattern: String, text: String, options: StringOptions, fits: Bool)] = [
        ("a+", "aaa", [], true), ("a+", "aab", [], false), ("a|ab", "ab", [], true),
        (".*", "a\nb", [], false),
        ("(?s).*", "a\nb", [], true), ("\\d{3}", "123", [], true), ("\\w+", "\u{E9}t\u{E9}", [], true),
        ("\u{C9}", "e\u{301}", .caseInsensitive, true), ("\u{C9}", "e\u{301}", [], false),
        ("E.E", "\u{E9}t\u{E9}", [.caseInsensitive, .diacriticInsensitive], true),
        ("\\S", " ", .caseInsensitive, false),
        ("", "", [], true), ("", "a", [], false), ("a\\z", "a", [], true), ("a$", "a\n", [], false),
    ]

    @Test(arguments: expressions)
    func expressionMatchesWholeText(
        _ sample: (pattern: String, text: String, options: StringOptions, fits: Bool)
    ) throws {
        #expect(
            try PreparedText(sample.pattern, comparator: .matches, options: sample.options).accepts(
                sample.text) == sample.fits)
    }

    @Test(arguments: ["(", "[a", "a{2,1}", "(?<n>a)(?<n>b)", "\\C", String(repeating: "(", count: 1_000)])
    func malformedExpressionIsRefused(_ pattern: String) {
        #expect(throws: RegularExpression.Failure.self) { try RegularExpression(pattern, []) }
    }

    @Test(arguments: [[0xFF], [0xC3], [0x61, 0xE2, 0x82], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalidUTF8DoesNotMatch(_ bytes: [UInt8]) throws {
        for comparator in ResolvedCondition.TextOperator.allCases {
            for options in [[], .caseInsensitive, .diacriticInsensitive] as [StringOptions] {
                let pattern = try PreparedText("b", comparator: comparator, options: options)
                #expect(try bytes.withUnsafeBufferPointer { try !pattern.accepts(utf8: $0) })
            }
        }
    }

    @Test(arguments: ["(a+)+b", "(a|a)*b", "(.*)*x", "(?:a*)*b"])
    func catastrophicExpressionIsStopped(_ pattern: String) throws {
        let expression = try PreparedText(pattern, comparator: .matches, options: [])
        #expect(throws: FetchPredicateError.self) {
            try expression.accepts(String(repeating: "a", count: 5_000) + "c")
        }
    }

    @Test(arguments: [
        ("2026-11-20T17:42:29Z", 1_795_196_549.0), ("1970-01-01T00:00:00Z", 0.0),
        ("1969-12-31T23:59:59.5Z", -0.5),
        ("2000-02-29T12:00:00+02:00", 951_818_400.0), ("0000-03-01T00:00:00Z", -62_162_035_200.0),
        ("2026-11-20 17:42:29-0130", 1_795_201_949.0), ("9999-12-31T23:59:59Z", 253_402_300_799.0),
    ])
    func timestampsAreRead(_ sample: (text: String, seconds: Double)) {
        #expect(Timestamp(iso8601: sample.text)?.secondsSince1970 == sample.seconds)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T17:42:29", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
        "2026-11-20T24:00:00Z", "x", "2026-11-20T17:42:29.Z", "2026-11-20T17:42:29Zx",
    ])
    func malformedTimestampsAreRefused(_ text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test func printedTimestampReadsBackExactly() throws {
        for range in [0...1e-9, 0...1e-3, 0...1.0, -1e3...1e3, -1e9...2e9, -1e11...1e11, -1e13...1e13] {
            for _ in 0..<200 {
                let moment = Timestamp(secondsSince1970: Double.random(in: range))
                let text = try #require(moment.iso8601)
                #expect(Timestamp(iso8601: text) == moment, "\(text)")
            }
        }
    }
}
