import Foundation
import Testing

/// Repeats every input that the fuzzers kept.
@Suite struct PredicateCorpusTests {
    private func inputs(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
        let directory = Repository.root.appendingPathComponent("Tests/Fuzz/Corpus/\(name)")
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test func parserAcceptsItsCorpus() throws {
        let inputs = try inputs("parser")
        #expect(inputs.count > 20)
        for (name, bytes) in inputs {
            #expect(throws: Never.self, "\(name)") { try FuzzTarget.parser(bytes) }
        }
    }

    @Test func executionsAgreeOnTheirCorpus() throws {
        let inputs = try inputs("executions")
        #expect(inputs.count > 5)
        for (name, bytes) in inputs {
            #expect(throws: Never.self, "\(name)") { try FuzzTarget.executions(bytes) }
        }
    }
}
