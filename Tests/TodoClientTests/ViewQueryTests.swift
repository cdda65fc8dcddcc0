import Testing
import TodoAPI

@testable import TodoClient

@Suite struct ViewQueryTests {
    /// A value for each option of `list` that is not a flag.
    private static let values = [
        "--category": "Home", "--tag": "office", "--priority": "2", "--parent": "3",
        "--due-before": "tomorrow", "--due-after": "friday 9am", "--within": "7d",
        "--where": "priority > 0", "--sort": "-due,name", "--group": "due", "--limit": "4",
    ]

    private static let options = Arguments.declared { arguments throws(ClientError) in
        var filter = ListFilter()
        try filter.code(&arguments)
    }.options

    private func query(_ words: [String]) throws -> ViewQuery {
        var arguments = try Arguments(
            words, verb: ListItemsCommand.verb, declared: ListItemsCommand.declared)
        var filter = ListFilter()
        try filter.code(&arguments)
        try arguments.finish()
        return ViewQuery(try filter.parameters(for: ListItemsCommand.self), group: filter.grouping?.rawValue)
    }

    @Test(arguments: options.map(\.name))
    func viewKeepsEveryOptionOfList(name: String) throws {
        let option = try #require(Self.options.first { $0.name == name })
        var words = [name]
        if option.placeholder != nil { words.append(try #require(Self.values[name], "no value of \(name)")) }
        let query = try query(words)
        #expect(try query != self.query([]))
        #expect(try ViewQuery(json: query.json) == query)
        let shown = query.typed
        #expect(shown.hasPrefix(name), "\(shown)")
    }
}
