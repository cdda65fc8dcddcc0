import Testing

@testable import Varlink

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "[]", "{}",
        "[1,[2,{\"a\":null}]]",
        "{\"a\":1,\"b\":[true,false]}", "\"\"", "\"\\u0000\\u001f\\\\\\\"\"", "\"🙂é\u{7F}\"",
    ])
    func parsedTextIsWrittenUnchanged(text: String) throws {
        #expect(try JSONParser.parse(Array(text.utf8)).text == text)
    }

    @Test(arguments: [
        ("1e2", JSON.number(100)), ("9223372036854775808", .number(9223372036854775808)), ("-0", .integer(0)),
        (" [ 1 , 2 ]\n", .array([.integer(1), .integer(2)])), ("\"\\ud83d\\ude42\"", .string("🙂")),
        ("\"\\/\\b\\f\"", .string("/\u{8}\u{C}")),
    ])
    func textIsRead(text: String, value: JSON) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru e", "01", "1.", ".5", "+1", "1e", "1e999", "-", "NaN", "Infinity", "'a'", "\"a",
        "\"\\x\"", "\"\\u12g4\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "[1,]", "[1 2]", "[", "{\"a\"}",
        "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}",
        "{\"a\":1}x", "1 2", "\u{FEFF}1",
    ])
    func malformedTextIsRefused(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test func invalidUTF8IsRefused() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22],
        ] {
            #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
        }
    }

    @Test func nestingHasALimit() throws {
        let limit = JSONParser.nestingLimit
        _ = try JSONParser.parse(
            Array((String(repeating: "[", count: limit) + String(repeating: "]", count: limit)).utf8))
        #expect(throws: JSONError(offset: limit, reason: "nested more than \(limit) deep")) {
            try JSONParser.parse([UInt8](repeating: UInt8(ascii: "["), count: 100_000))
        }
    }

    @Test func repeatedNameIsFoundAmongMany() {
        let members = (0..<100).map { "\"m\($0)\":1" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSONParser.parse(Array("{\(members)}".utf8)) }
        for name in ["m3", "m16", "m99"] {
            #expect(throws: JSONError.self) { try JSONParser.parse(Array("{\(members),\"\(name)\":2}".utf8)) }
        }
    }

    @Test func errorHasOffset() {
        #expect(throws: JSONError(offset: 6, reason: "expected ':'")) {
            try JSONParser.parse(Array(#"{"abc"}"#.utf8))
        }
    }
}
