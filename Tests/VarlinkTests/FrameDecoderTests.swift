import Testing
import Varlink

@Suite struct FrameDecoderTests {
    /// Feeds `input` in chunks of `size` bytes and returns the decoded messages.
    private func messages(_ input: String, chunks size: Int) throws -> [String] {
        var decoder = FrameDecoder()
        var result: [String] = []
        let bytes = Array(input.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoder.append(bytes[start..<min(start + size, bytes.count)])
            while let message = try decoder.next() { result.append(String(decoding: message, as: UTF8.self)) }
        }
        return result
    }

    @Test(arguments: [1, 2, 3, 7, 1_000]) func nulsEndMessages(size: Int) throws {
        #expect(
            try messages("{\"a\":1}\0{\n\"b\":\"}\"\n}\0\0{\"c", chunks: size) == [
                "{\"a\":1}", "{\n\"b\":\"}\"\n}", "",
            ])
    }

    @Test(arguments: [1, 2, 3, 7, 1_000]) func newlinesEndMessagesOfShell(size: Int) throws {
        let input = "\n {\"a\":\n[\"}\\\"\",{}]\n}\n\r\n{\"b\":\"\\\\\"}\n"
        #expect(try messages(input, chunks: size) == ["{\"a\":\n[\"}\\\"\",{}]\n}", "{\"b\":\"\\\\\"}"])
    }

    @Test func firstTerminatorDecides() throws {
        var decoder = FrameDecoder()
        decoder.append("{}\n{}\0".utf8)
        #expect(try decoder.next() == ArraySlice("{}".utf8))
        #expect(decoder.terminator == .newline)
        // A NUL is now an ordinary byte, which may not follow an object.
        #expect(throws: FrameError.notAnObject) { try decoder.next() }
    }

    @Test(arguments: ["hello\n", "[1]\n", "\"a\"\n", "}\n", "{}x\n", "{}{\n"])
    func messageThatIsNoObjectIsRefused(input: String) {
        #expect(throws: FrameError.notAnObject) { try messages(input, chunks: 1_000) }
    }

    @Test func messagesHaveSizeLimit() throws {
        var decoder = FrameDecoder(messageBytesLimit: 9)
        decoder.append("{\"a\":\"12\"}\0".utf8)
        #expect(throws: FrameError.tooLarge(limit: 9)) { try decoder.next() }
        decoder = FrameDecoder(messageBytesLimit: 10)
        decoder.append("{\"a\":\"12\"}\0{\"a\":\"12\"}\0".utf8)
        #expect(try decoder.next()?.count == 10)
        #expect(try decoder.next()?.count == 10)
        #expect(try decoder.next() == nil)
    }
}
