import Foundation
import Testing

@Suite struct AnswerCorpusTests {
    @Test func answersOfTheCorpusAreReadOrRefused() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let directory = tests.appending(path: "Fuzz/Corpus/answers")
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files { try AnswerFuzz.run(Array(try Data(contentsOf: file))) }
    }

    @Test(arguments: MultistatusFixtures.all)
    func damagedAnswerIsReadOrRefused(body: String) throws {
        let bytes = Array(body.utf8)
        let values: [UInt8] = [0, UInt8(ascii: "<"), UInt8(ascii: "&"), 0xFF]
        for index in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[index] = values[index % values.count]
            try AnswerFuzz.run(damaged)
        }
    }
}
