import Foundation
import ObjectStore
import Testing

/// GNUstep reads the same language. Where both mean the same, GNUstep and this library find the same objects.
///
/// The suite needs Debian's `libgnustep-base-dev` and `gobjc`, and is skipped without them. It leaves out
/// features that GNUstep 1.28 does not have or does not treat as Apple's guide says:
/// - It does not match numbers in lists and in BETWEEN.
/// - It matches `!=` beside nil.
/// - It lets `?` in LIKE match no character, too.
/// - It ignores the option of `==[c]`.
/// - It throws an exception for BEGINSWITH and ENDSWITH with an operand that is longer than the text.
/// - It groups AND beside OR from the right if there are no parentheses.
/// - It does not have numbers in other bases.
@Suite(.enabled(if: GNUstep.isInstalled)) struct PredicateThirdOpinionTests {
    @Test func predicatesAgreeWithGNUstep() throws {
        let gnustep = try GNUstep()
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Row",
                attributes: [
                    .string("s"), .string("t"), .integer32("i"), .integer32("j"), .double("d"), .boolean("b"),
                ])
        ])
        let entity = try #require(model.entity(named: "Row"))
        var compared = 0
        for seed in 1...10 as ClosedRange<UInt64> {
            var source = ChoiceSource(seed: seed)
            let rows = (0..<12).map { _ in Row(&source) }
            let formats = (0..<200).map { _ in Self.condition(&source, depth: 3) }
            let answers = try gnustep.answers(rows.map(\.dictionary), formats)
            for (format, answer) in zip(formats, answers) {
                let predicate = try FetchPredicate(format).compiled(for: entity, in: model)
                let found = try rows.indices.filter { try predicate.matches(rows[$0]) }.map(String.init)
                #expect(found.joined(separator: " ") == answer, "seed \(seed): \(format)")
                compared += 1
            }
        }
        #expect(compared == 2_000)
    }

    // MARK: - Cases

    private struct Row: PredicateSubject {
        let values: [AttributeValue]

        init(_ source: inout ChoiceSource) {
            func maybe(_ value: AttributeValue) -> AttributeValue { source.chance(1, in: 6) ? .null : value }
            values = [
                maybe(.string(source.pick(Row.texts))), maybe(.string(source.pick(Row.texts))),
                maybe(.integer(Int64(source.number(below: 9)) - 3)),
                maybe(.integer(Int64(source.number(below: 9)) - 3)),
                maybe(.double(Double(source.number(below: 20)) / 4 - 2)),
                maybe(.boolean(source.chance(1, in: 2))),
            ]
        }

        static let texts = ["a", "A", "ab", "AB", "abc", "b", "bca", "xyz", "a b", "cab"]

        var predicateIdentity: Int64 { 0 }
        func predicateValue(at column: Int) -> AttributeValue { values[column] }
        func predicateTarget(at column: Int) -> (any PredicateSubject)? { nil }
        func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }

        var dictionary: [String: Any] {
            var dictionary: [String: Any] = [:]
            for (name, value) in zip(["s", "t", "i", "j", "d", "b"], values) {
                switch value {
                case .string(let text): dictionary[name] = text
                case .integer(let number): dictionary[name] = Int(number)
                case .double(let number): dictionary[name] = number
                case .boolean(let flag): dictionary[name] = flag
                default: break
                }
            }
            return dictionary
        }
    }

    private static func condition(_ source: inout ChoiceSource, depth: Int) -> String {
        switch source.number(below: depth > 0 ? 9 : 5) {
        case 0...4: return comparison(&source)
        case 5, 6:
            return
                "(\(condition(&source, depth: depth - 1)) \(source.pick(["AND", "&&"])) \(condition(&source, depth: depth - 1)))"
        case 7:
            return
                "(\(condition(&source, depth: depth - 1)) \(source.pick(["OR", "||"])) \(condition(&source, depth: depth - 1)))"
        default: return "NOT (\(condition(&source, depth: depth - 1)))"
        }
    }

    private static func comparison(_ source: inout ChoiceSource) -> String {
        let options = source.pick(["", "[c]"])
        let text = "\"" + source.pick(Row.texts) + "\""
        let letter = "\"" + source.pick(["a", "A", "b", "c", "x"]) + "\""
        let key = source.pick(["s", "t"])
        switch source.number(below: 9) {
        case 0: return "\(key) \(source.pick(["==", "CONTAINS"])) \(text)"
        case 1: return "\(key) \(source.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"]))\(options) \(letter)"
        case 2: return "\(key) LIKE\(options) \"\(source.pick(["a*", "*b", "*b*", "*", "a*c", "ab"]))\""
        case 3: return "\(key) MATCHES \"\(source.pick(["a.*", "[a-b]+", ".", "(a|b)c?", "abc"]))\""
        case 4: return "\(source.pick(["s", "i", "d", "b"])) \(source.pick(["==", "!="])) nil"
        case 5: return "b == \(source.pick(["YES", "NO", "TRUE"]))"
        case 6:
            return
                "i \(source.pick(["<", "<=", "=<", ">", ">=", "=>", "==", "="])) \(source.number(below: 7) - 2)"
        case 7:
            return
                "d \(source.pick(["<", "<=", ">", ">=", "=="])) \(Double(source.number(below: 12)) / 4 - 1)"
        default:
            return
                "(i != nil AND j != nil AND i \(source.pick(["+", "-", "*"])) \(source.number(below: 4)) \(source.pick(["<", "==", ">="])) j)"
        }
    }
}

/// The program `Tests/ThirdOpinion/opinion.m`, compiled for the test.
struct GNUstep {
    static let isInstalled =
        ["/usr/bin/gnustep-config", "/usr/include/GNUstep/Foundation/Foundation.h"].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }

    private let directory = TemporaryStore()

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        let source = Repository.root.appendingPathComponent("Tests/ThirdOpinion/opinion.m").path
        let command =
            "gcc $(gnustep-config --objc-flags) -w -MT opinion -MF /dev/null -o '\(directory.directory)/opinion' '\(source)' "
            + "$(gnustep-config --base-libs)"
        _ = try run("/bin/sh", ["-c", command])
    }

    func answers(_ objects: [[String: Any]], _ formats: [String]) throws -> [String] {
        let paths = (
            objects: directory.directory + "/objects.plist", formats: directory.directory + "/formats"
        )
        let list = try PropertyListSerialization.data(fromPropertyList: objects, format: .xml, options: 0)
        try list.write(to: URL(fileURLWithPath: paths.objects))
        try formats.joined(separator: "\n").write(toFile: paths.formats, atomically: true, encoding: .utf8)
        let output = try run(directory.directory + "/opinion", [paths.objects, paths.formats])
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed")
        return String(decoding: data, as: UTF8.self)
    }
}
