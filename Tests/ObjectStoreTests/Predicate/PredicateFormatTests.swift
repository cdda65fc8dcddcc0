import Foundation
import ObjectStore
import Testing

/// The formats of `docs/predicate-formats.md`.
@Suite struct PredicateFormatTests {
    /// The lines of the page's blocks.
    private func blocks() throws -> [[Substring]] {
        let parts = try Repository.text(of: "docs/predicate-formats.md").components(separatedBy: "```\n")
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { $0.element.split(separator: "\n") }
    }

    /// Arguments for each `%` outside quotes, of a type that fits its position.
    private func arguments(of format: Substring) -> [any PredicateArgument] {
        var arguments: [any PredicateArgument] = []
        let outside = format.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: "''")
        for part in outside.split(separator: "%", omittingEmptySubsequences: false).dropFirst() {
            switch part.first {
            case "d": arguments.append(7)
            default: arguments.append("name")
            }
        }
        return arguments
    }

    @Test func formatsOfApplicationsAreRead() throws {
        let formats = try blocks()[0]
        #expect(formats.count > 70)
        for format in formats {
            #expect(throws: Never.self, "\(format)") {
                let predicate = try FetchPredicate(format: String(format), arguments: arguments(of: format))
                #expect(try FetchPredicate(predicate.format) == predicate, "\(format)")
            }
        }
    }

    @Test func formatsWithoutMeaningAreRefused() throws {
        let lines = try blocks()[1]
        #expect(lines.count == 5)
        for line in lines {
            let format = line.components(separatedBy: "    ")[0]
            #expect(throws: FetchPredicateError.self, "\(format)") {
                try FetchPredicate(format: format, arguments: arguments(of: format[...]))
            }
        }
    }
}
