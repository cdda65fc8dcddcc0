import CivilTime
import ObjectStore
import TestSupport
import Testing

@testable import ObjectStoreXML

@Suite struct XMLTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\nb\tc", "a\nb\tc"), ("\r", #"\u0d00"#), ("\u{1B}[0m", #"\u1b00[0m"#),
        ("\u{0}", #"\u0000"#), ("\u{FFFE}", #"\ufeff"#), (#"C:\temp"#, #"C:\temp"#), (#"\u"#, #"\u5c00u"#),
        (#"\\u1b00"#, #"\\u5c00u1b00"#),
    ])
    func charactersOutsideXMLAreEscaped(_ text: String, _ escaped: String) {
        #expect(XMLText.escaped(text) == escaped)
        #expect(XMLText.unescaped(escaped) == text)
    }

    /// As Core Data writes them: a note with markup, and a character beyond the first 65,536.
    @Test(arguments: [
        (#"\u3c00note\u3e00 milk \u2600 honey"#, "<note> milk & honey"), (#"\u3dd8 alone"#, "\u{FFFD} alone"),
        (#"\u3dd8\u00de"#, "\u{1F600}"), (#"\u3c0"#, #"\u3c0"#), (#"\uzzzz"#, #"\uzzzz"#), ("\\", "\\"),
    ])
    func escapesOfCoreDataAreRead(_ written: String, _ text: String) {
        #expect(XMLText.unescaped(written) == text)
    }

    @Test func randomTextReadsBack() {
        var random = SplitMix(state: 3)
        let scalars = Array("\\u0123456789abcdef<>&\r\n\u{1B}\u{0}\u{FFFE}é\u{1F600}".unicodeScalars)
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                if let scalar = scalars.randomElement(using: &random) { text.append(scalar) }
            }
            let back = XMLText.unescaped(XMLText.escaped(String(text)))
            #expect(Array(back.unicodeScalars) == Array(text))
        }
    }

    @Test(arguments: [
        (0.0, "-978307200"), (978_307_200, "0"), (978_307_200.5, "0.5"), (978_307_199.5, "-0.5"),
        (0.1, "-978307199.9"), (-0.1, "-978307200.1"), (1_314_354_117.25, "336046917.25"),
    ])
    func datesAreSecondsSince2001(_ seconds: Double, _ text: String) {
        #expect(ReferenceDate.text(of: Timestamp(secondsSince1970: seconds)) == text)
        #expect(ReferenceDate.moment(of: text)?.secondsSince1970 == seconds)
    }

    @Test func everyDateReadsBackExactly() {
        var random = SplitMix(state: 11)
        for round in 0..<20_000 {
            let seconds: Double
            switch round % 4 {
            case 0: seconds = Double.random(in: -4e9...4e9, using: &random)
            case 1: seconds = Double.random(in: -2...2, using: &random)
            case 2: seconds = Double(bitPattern: random.next())
            default: seconds = 978_307_200 + Double.random(in: -1e-3...1e-3, using: &random)
            }
            guard seconds.isFinite else { continue }
            let text = ReferenceDate.text(of: Timestamp(secondsSince1970: seconds))
            #expect(ReferenceDate.moment(of: text)?.secondsSince1970 == seconds, "\(text)")
        }
    }

    @Test(arguments: [
        "336046917.00164198875427246094", " 1", "1e3", "-0.0", "1.", ".5", "+1", "0x10", "nan", "inf", "",
    ])
    func datesOfOtherProgramsAreRead(_ text: String) {
        let expected: [String: Double] = [
            "336046917.00164198875427246094": 1_314_354_117.001_642, "1e3": 978_308_200, "-0.0": 978_307_200,
            "1.": 978_307_201, ".5": 978_307_200.5, "+1": 978_307_201, "0x10": 978_307_216,
        ]
        #expect(ReferenceDate.moment(of: text)?.secondsSince1970 == expected[text])
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64IsWrittenAndRead(_ text: String, _ encoded: String) {
        #expect(Base64.text(of: Array(text.utf8)) == encoded)
        #expect(Base64.bytes(of: encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zg==Zg==", "Zm9*", "=", "===="])
    func malformedBase64IsRefused(_ text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }

    @Test func base64InLinesIsRead() {
        #expect(Base64.bytes(of: "\n\tZm9v\r\n YmFy\n") == Array("foobar".utf8))
    }
}
