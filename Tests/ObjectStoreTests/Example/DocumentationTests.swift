import Foundation
import Testing

@Suite struct DocumentationTests {
    /// Every line of code on the page is in the example, in the same order within each block.
    @Test func pageShowsExample() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
        let page = try lines(root.appendingPathComponent("docs/object-store.md"))
        let example = try lines(here.deletingLastPathComponent().appendingPathComponent("BooksExample.swift"))
        var blocks: [[String]] = []
        var isCode = false
        for line in page {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
                if isCode { blocks.append([]) }
            } else if isCode, !line.isEmpty {
                blocks[blocks.count - 1].append(line)
            }
        }
        #expect(blocks.count > 8)
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

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
