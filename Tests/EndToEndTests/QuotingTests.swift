import Testing

/// Commands that take a time in several words. They also take it in quotes.
@Suite struct QuotingTests {
    @Test func quotedTimeMeansTheSame() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b", "c"])
        for (command, words) in [
            (["snooze", "1"], ["until", "2099-01-01", "9:00"]), (["snooze", "1"], ["1", "dec", "2098"]),
            (["snooze", "1", "2"], ["for", "5", "days"]), (["snooze", "1", "2-3"], ["5", "weeks"]),
            (["snooze", "1"], ["5", "pm"]), (["snooze", "1"], ["for", "soon"]), (["snooze", "1"], [""]),
            (["quiet"], ["until", "2099-01-01", "9:00"]), (["quiet"], ["for", "5", "days"]),
            (["quiet"], ["off"]), (["quiet"], ["until", "when"]), (["quiet"], [""]),
            (["due"], ["5", "days"]), (["due"], ["within", "2", "h", "30", "min"]), (["due"], ["in", "7d"]),
            (["due"], ["some", "day"]), (["due"], [""]),
        ] {
            let apart = try sandbox.run("todoctl", command + words)
            let quoted = try sandbox.run("todoctl", command + [words.joined(separator: " ")])
            #expect(apart.status == (["soon", "when", "day", ""].contains(words.last) ? 1 : 0), "\(words)")
            #expect(quoted.status == apart.status, "\(words)")
            #expect(quoted.output == apart.output && quoted.errors == apart.errors, "\(words)")
        }
    }
}
