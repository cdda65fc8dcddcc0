import Testing

@testable import CalDAV

@Suite struct FoldedBytesTests {
    @Test func foldInsideACharacterMovesAfterIt() {
        let bytes = Array("SUMMARY:M".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xBC] + Array("nchen\r\n".utf8)
        #expect(FoldedBytes.text(bytes) == ("SUMMARY:Mü\r\n nchen\r\n", true))
    }

    @Test func textWithoutSuchFoldsIsUnchanged() {
        #expect(FoldedBytes.text(Array("a\r\n b ü 👍\n".utf8)) == ("a\r\n b ü 👍\n", true))
    }

    @Test func invalidBytesAreReplacedAndReported() {
        #expect(FoldedBytes.text(Array("\u{FFFD}".utf8)) == ("\u{FFFD}", true))
        #expect(FoldedBytes.text([0x61, 0xFC, 0x62]) == ("a\u{FFFD}b", false))
        #expect(FoldedBytes.text([0xE2, 0x82]) == ("\u{FFFD}", false))
    }
}
