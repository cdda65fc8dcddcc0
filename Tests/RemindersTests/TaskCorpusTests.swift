import Foundation
import TestSupport
import Testing

@Suite struct TaskCorpusTests {
    private static var texts: [[UInt8]] {
        get throws {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let directory = tests.appending(path: "Fuzz/Corpus/tasks")
            return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
                .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
        }
    }

    @Test func tasksOfTheCorpusAreChangedSafely() throws {
        #expect(try !Self.texts.isEmpty)
        for text in try Self.texts { try TaskFuzz.run(text) }
    }

    /// Lines of all tasks in another order, and damaged bytes.
    @Test(arguments: 1...4) func damagedTaskIsChangedSafely(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let texts = try Self.texts
        let lines = texts.flatMap { $0.split(separator: 0x0A) }
        for _ in 0..<150 {
            var text = texts[Int(random.next() % UInt64(texts.count))].split(separator: 0x0A)
            for _ in 0..<1 + random.next() % 4 {
                let place = Int(random.next() % UInt64(max(1, text.count)))
                switch random.next() % 3 {
                case 0: text.insert(lines[Int(random.next() % UInt64(lines.count))], at: place)
                case 1 where text.count > 2: text.remove(at: place)
                default: text.swapAt(place, Int(random.next() % UInt64(text.count)))
                }
            }
            var bytes = Array(text.joined(separator: [0x0A])) + [0x0A]
            if random.next() % 3 == 0 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            try TaskFuzz.run(bytes)
        }
    }
}
