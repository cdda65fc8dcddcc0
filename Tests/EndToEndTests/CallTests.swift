import Testing

/// `todoctl call`
@Suite struct CallTests {
    @Test func anyMethodCanBeCalled() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["Pay the rent", "Call Zoë"])
        #expect(try sandbox.todoctl("call", "ListCategories").output == "{\"categories\":[]}\n")
        let listed = try sandbox.todoctl("call", "ListItems", #"{"text":"rent"}"#).output
        #expect(listed.contains("Pay the rent") && !listed.contains("Zoë"))
        let piped = try sandbox.shell(
            #"echo '{"text":"zoe"}' | todoctl call --more dev.todod.Todo.ListItems -"#)
        #expect(piped.status == 0 && piped.output.contains("Zoë"))
        #expect(
            try sandbox.todoctl("call", "org.varlink.service.GetInfo").output.contains(
                "\"product\":\"todod\""))
    }

    @Test func callErrorsNameTheProblem() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let cases: [(words: [String], status: Int32, text: String)] = [
            (["ListItem"], 2, "Did you mean 'ListItems'?"), (["a.b.C"], 2, "has no method 'a.b.C'"),
            (["Watch"], 2, "Type:  todoctl call --more Watch"),
            (["ListItems", "[]"], 2, "the parameters must be an object"),
            (["ListItems", "{x"], 2, "not JSON: expected a member name at byte 1"),
            (["GetItem", #"{"id":7}"#], 1, "there is no item 7"),
            (["GetItem", #"{"id":"x"}"#], 1, "the daemon refuses id: expected an integer"),
            ([], 2, "needs METHOD"),
        ]
        for (words, status, text) in cases {
            let result = try sandbox.run("todoctl", ["call"] + words)
            #expect(result.status == status && result.errors.contains(text), "\(words): \(result.errors)")
        }
    }
}
