import Foundation
import ObjectStore
import TestSupport
import Testing

/// A program is killed while it saves, before each call that writes. The store then has the state before or
/// after the save, and no other file remains.
@Suite(.enabled(if: TracedSave.isPossible, "strace cannot trace here")) struct FileCommitTests {
    private let directory = TemporaryStore()

    /// The calls of one save that concern the directory, each with its number among the calls with its name.
    private func points(_ kind: TestedStore, _ path: String) throws -> [(call: String, number: Int)] {
        let trace = directory.directory + "/trace"
        try #require(TracedSave.run(kind, path, traced: ["-o", trace]) == 0)
        defer { try? FileManager.default.removeItem(atPath: trace) }
        var numbers: [Substring: Int] = [:]
        return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line in
            let call = line.prefix { $0 != "(" }
            numbers[call, default: 0] += 1
            let isOurs = line.contains(directory.directory) && !line.contains(".lock")
            return isOurs ? (String(call), numbers[call] ?? 0) : nil
        }
    }

    /// The word in the store, `old` or `new`, which it contains a hundred thousand times.
    private func text(_ kind: TestedStore) throws -> String {
        let context = try kind.context(in: directory, Sample.model())
        defer { context.coordinator.close() }
        let objects = try context.fetch(FetchRequest<ManagedObject>(entity: "Sample"))
        guard case .string(let text)? = try objects.first?.value(of: "text"), objects.count == 1 else {
            return ""
        }
        let word = String(text.prefix(3))
        return text == String(repeating: word + " ", count: 100_000) ? word : "something else"
    }

    @Test(arguments: TestedStore.wholeFiles) func saveIsAtomicIfKilledAtAnyStep(_ kind: TestedStore) throws {
        let path = kind.path(in: directory)
        #expect(try TracedSave.run(kind, path) == 0)
        let old = try Data(contentsOf: URL(filePath: path))
        let points = try points(kind, path)
        #expect(points.contains { $0.call == "rename" })
        #expect(points.filter { $0.call == "fsync" }.count == 2)
        var found: [String: Int] = [:]
        for point in points {
            try old.write(to: URL(filePath: path))
            let kill = ["-o", "/dev/null", "-e", "inject=\(point.call):signal=SIGKILL:when=\(point.number)"]
            #expect(try TracedSave.run(kind, path, traced: kill) == SIGKILL)
            found[try text(kind), default: 0] += 1
            let name = URL(filePath: path).lastPathComponent
            #expect(try directory.files() == [name, name + ".lock"], "\(point)")
        }
        #expect(Set(found.keys) == ["old", "new"])
        print(
            "\(kind): killed at each of \(points.count) steps of a save, left as it was \(found["old"] ?? 0) times"
        )
    }
}
