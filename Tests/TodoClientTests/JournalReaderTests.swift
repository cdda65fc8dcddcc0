import Testing

@testable import TodoClient

@Suite struct JournalReaderTests {
    @Test(arguments: [
        ([], "no systemd journal here", false),
        (["/run/systemd/journal/socket"], "kept in memory only", true),
        (["/run/systemd/journal/socket", "/var/log/journal"], "no entries of yours yet", true),
    ])
    func emptyJournalIsExplained(paths: [String], reason: String, mayBeAllowed: Bool) {
        let text = JournalReader.whyUnreadable("alerts", paths.contains)
        #expect(text.hasPrefix("todoctl: ") && text.contains(reason))
        #expect(text.contains("sudo usermod") == mayBeAllowed)
    }
}
