import Testing
import Varlink

struct JSONWriterTests {
    @Test(arguments: [
        0, 7, 9, 10, 42, 1_000, -1, -9, -10, 4_294_967_296, Int64.max, Int64.min,
    ])
    func integersAreWrittenWithAllDigits(_ number: Int64) {
        #expect(text { $0.value(number) } == "[\(number)]")
    }

    @Test func consecutiveValuesAreSeparated() {
        let text = text { array in
            for number: Int64 in [-5, 12, 0] { array.value(number) }
            array.object { object in
                object.name("a")
                object.null()
            }
        }
        #expect(text == #"[-5,12,0,{"a":null}]"#)
    }

    /// The bytes are scanned eight at a time, and the last eight once more at the end.
    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 31])
    func bytesAreEscapedAtEveryPosition(_ count: Int) {
        for position in 0..<count {
            for special in ["\"", "\\", "\n", "é"] {
                var characters = Array(repeating: "x", count: count)
                characters[position] = special
                let name = characters.joined()
                var copy = name
                let written = copy.withUTF8 { bytes in text { $0.value(text: bytes) } }
                #expect(written == text { $0.value(name) })
                #expect((try? JSONParser.parse(Array(written.utf8))) == .array([.string(name)]))
            }
        }
    }

    @Test func preparedNamesEqualNames() {
        let names = ["a", "due", "abcdefghijklmnopqrstuvwxyz", "with \"quotes\""]
        let ready = JSONNames(names)
        let written = object { object in
            for position in names.indices {
                object.name(position, of: ready)
                object.value(Int64(position))
            }
        }
        let expected = object { object in
            for (position, name) in names.enumerated() {
                object.name(name)
                object.value(Int64(position))
            }
        }
        #expect(written == expected)
    }

    /// A buffer that grows keeps its contents.
    @Test func longTextsAreWrittenCompletely() {
        let texts = (0..<300).map { String(repeating: "\($0) ", count: $0) }
        let text = text { array in for text in texts { array.value(text) } }
        #expect((try? JSONParser.parse(Array(text.utf8))) == .array(texts.map { .string($0) }))
    }

    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.array(body)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func object(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(body)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
