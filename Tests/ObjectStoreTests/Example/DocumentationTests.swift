import Foundation
import Testing

@Suite struct DocumentationTests {
    private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// Every line of code on a page is in the files that are compiled, in the same order within each block.
    @Test(arguments: [
        (
            "docs/object-store.md",
            ["", "+Fetching", "+Saving", "+Stores"].map {
                "Tests/ObjectStoreTests/Example/BooksExample\($0).swift"
            }
        ),
        ("docs/before-and-after.md", ["Tests/ObjectStoreTests/Example/BeforeAndAfter.swift"]),
        ("docs/migrations.md", ["Tests/ObjectStoreTests/Example/GuidesExample.swift"]),
        ("docs/predicates.md", ["Tests/ObjectStoreTests/Example/GuidesExample.swift"]),
        (
            "Sources/ObjectStore/ObjectStore.docc/GettingStarted.md",
            ["Tests/Consumer/Sources/notes/Notes.swift"]
        ),
    ])
    func pageShowsExample(_ page: String, _ example: [String]) throws {
        let example = try example.flatMap { try lines($0) }
        var blocks: [[String]] = []
        var isCode = false
        for line in try lines(page) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
                if isCode { blocks.append([]) }
            } else if isCode, !line.isEmpty {
                blocks[blocks.count - 1].append(line)
            }
        }
        #expect(blocks.count > 3)
        for block in blocks {
            var rest = example[...]
            for line in block {
                guard let found = rest.firstIndex(of: line) else {
                    Issue.record("not in the example, or in another order: \(line)")
                    break
                }
                rest = rest[(found + 1)...]
            }
        }
    }

    private func lines(_ file: String) throws -> [String] {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8).components(separatedBy: "\n")
            .map {
                $0.trimmingCharacters(in: .whitespaces)
            }
    }
}
