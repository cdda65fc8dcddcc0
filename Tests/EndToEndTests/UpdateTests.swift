import Testing
import Varlink

/// The guard `ifModified`, which refuses an update of an item that another client has changed.
@Suite struct UpdateTests {
    private func modified(_ reply: MethodReply) -> String? {
        let item =
            if case .array(let items)? = reply.parameters["items"] { items.first } else {
                reply.parameters["item"]
            }
        guard case .object(let item)? = item, case .string(let text)? = item["modifiedAt"] else { return nil }
        return text
    }

    @Test func updateOfModifiedItemIsRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let seen = try #require(modified(try sandbox.call("AddItem", #"{"name":"Tea"}"#)))
        // Of two clients that read the same state, only the first succeeds, even if both calls arrive together.
        let connection = try sandbox.connect()
        for name in ["Green tea", "Black tea"] {
            try connection.call("UpdateItems", #"{"ids":[1],"name":"\#(name)","ifModified":"\#(seen)"}"#)
        }
        let (first, second) = (try connection.nextReply(), try connection.nextReply())
        #expect(first.error == nil)
        #expect(second.error == "dev.todod.Todo.ItemModified" && second.integer("id") == 1)
        let now = try #require(second.text("modifiedAt"))
        #expect(now == modified(first) && now != seen)
        #expect(try sandbox.call("ListItems").names == ["Green tea"])
        let third = try sandbox.call("UpdateItems", #"{"ids":[1],"leads":"1h","ifModified":"\#(now)"}"#)
        #expect(third.error == nil)
        // A change of the lead times also changes the item.
        let last = try sandbox.call("UpdateItems", #"{"ids":[1],"name":"x","ifModified":"\#(now)"}"#)
        #expect(last.error == "dev.todod.Todo.ItemModified" && last.text("modifiedAt") == modified(third))
    }

    @Test(arguments: ["", "yesterday", "2031-05-01"])
    func invalidGuardIsNamed(text: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["Tea"])
        let reply = try sandbox.call("UpdateItems", #"{"ids":[1],"name":"x","ifModified":"\#(text)"}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "ifModified")
    }
}
