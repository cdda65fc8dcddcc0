import CivilTime
import Testing

@testable import Phrases

/// Time spans as users type them for `--lead`, `--within`, `--every` and in `todod.conf`.
@Suite struct LengthTests {
    @Test(arguments: [
        ("5min", 300.0), ("1h 30min", 5_400), ("1h30m", 5_400), ("1h30", 5_400), ("8h30", 30_600),
        ("15h30", 55_800), ("2h 30m", 9_000), ("1.5h", 5_400), ("90m", 5_400), ("half an hour", 1_800),
        ("an hour and a half", 5_400), ("three quarters of an hour", 2_700), ("2 weeks", 1_209_600),
        ("a fortnight", 1_209_600), ("1d 1s", 86_401), ("100ms", 0.1), ("PT90M", 5_400), ("0", 0),
        ("1 H", 3_600), ("1 hr 5 mins", 3_900), ("1h and 30 min", 5_400),
    ])
    func timeSpanIsRead(text: String, seconds: Double) throws {
        #expect(try TimeSpan(typed: text).seconds == seconds)
    }

    @Test(arguments: [
        "", "soon", "5 parsecs", "-5min", "min", "1..5h", ".5h", "5.h", "1e3s", "90", "1h 5", "17:00",
        "friday",
    ])
    func otherTextIsNotATimeSpan(text: String) {
        #expect(throws: DatePhraseError(reason: "'\(text)' is not a time span", isOfOtherWords: true)) {
            try TimeSpan(typed: text)
        }
    }

    /// A comma, a repeated unit, or a longer unit after a shorter one is refused, and never added up.
    @Test(
        arguments: [
            ("1h,2h", nil), ("8h, 20h", nil), ("1d,1h30,5m", nil), ("1h1h", nil), ("30m 1h", "1h 30m"),
            ("1 hr, 5 mins", "1 hr 5 mins"), ("1h and 2d", "2d 1h"),
        ] as [(String, String?)])
    func unorderedPartsAreRefused(text: String, similar: String?) throws {
        let error = try #require(throws: DatePhraseError.self) { try TimeSpan(typed: text) }
        #expect(error.similar == (similar.map { [$0] } ?? []))
        #expect(text == "1h1h" || error.reason.contains("each unit comes once, the longest first"))
    }

    @Test(arguments: ["a month", "2 years", "1 month 5 days", "3 working days", "999999999y"])
    func timeSpanWithoutFixedLengthIsRefused(text: String) {
        #expect(
            throws: DatePhraseError(
                reason: "'\(text)' has no fixed length, because it depends on the date")
        ) { try TimeSpan(typed: text) }
    }

    @Test(arguments: ["999999999w", "999999999w 1h"]) func timeSpanOverTenThousandYearsIsRefused(
        text: String
    ) {
        #expect(throws: DatePhraseError(reason: "'\(text)' is too long")) { try TimeSpan(typed: text) }
    }

    @Test(arguments: [300, 90, 129_600, 5_184_000]) func writtenTimeSpanIsReadBack(seconds: Int) throws {
        let span = TimeSpan.seconds(seconds)
        #expect(try TimeSpan(typed: span.description) == span)
    }

    @Test func tooLongTextIsRefused() {
        #expect(throws: DatePhraseError(reason: "a time span has at most 500 bytes")) {
            try TimeSpan(typed: String(repeating: "1h ", count: 1 << 20))
        }
    }
}
