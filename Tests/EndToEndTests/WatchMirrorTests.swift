import Foundation
import TestSupport
import Testing
import Varlink

/// Clients that keep a copy of all items from the events of `Watch`, over random changes, disconnections and restarts.
@Suite struct WatchMirrorTests {
    /// A client that connects again with the last token that it has read.
    private final class Mirror {
        private let sandbox: Sandbox
        private var watcher: ClientConnection?
        private var token: String?
        /// The items of which the client was notified. They need not exist any longer.
        private var known: Set<Int64> = []
        private(set) var items: [Int64: JSONObject] = [:]
        private(set) var categories: JSON?
        private(set) var tags: JSON?

        init(_ sandbox: Sandbox) { self.sandbox = sandbox }

        func disconnect() { watcher = nil }

        private func connection() throws -> ClientConnection {
            if let watcher { return watcher }
            let connection = try sandbox.connect()
            let parameters = token.map { #"{"since":"\#($0)"}"# } ?? "{}"
            try connection.call("Watch", parameters, more: true)
            let first = try connection.nextReply()
            try #require(first.text("event") == "ready", "\(first)")
            token = first.text("token")
            watcher = connection
            return connection
        }

        /// Connects, unless the client is connected.
        func connect() throws { _ = try connection() }

        /// Reads replies until all changes up to that of an item with this name are read, but at most `limit` replies.
        func read(until name: String, limit: Int = .max) throws {
            let connection = try connection()
            var isFound = false
            for _ in 0..<limit {
                let reply = try connection.nextReply()
                let next: String = try #require(reply.text("token"), "\(reply)")
                token = next
                try take(reply)
                isFound = isFound || reply.names.contains(name)
                // A longer token is one within the changes that were saved together with the item.
                if isFound, next.split(separator: "/").count == 3 { return }
            }
        }

        private func take(_ reply: MethodReply) throws {
            guard case .array(let list)? = reply.parameters["ids"] else { return }
            let ids = list.compactMap { if case .integer(let id) = $0 { id } else { nil } }
            let event = reply.text("event")
            switch event {
            case "added", "changed", "deleted":
                // An added item is new, and the others are known. Otherwise a reply was repeated or is missing.
                for id in ids {
                    #expect(known.contains(id) == (event != "added"), "\(event ?? "") \(id)")
                    items[id] = nil
                    if event == "deleted" { known.remove(id) } else { known.insert(id) }
                }
                for item in reply.items {
                    if case .integer(let id)? = item["id"] { items[id] = item }
                }
            case "categories": categories = try sandbox.call("ListCategories").parameters["categories"]
            case "tags": tags = try sandbox.call("ListTags").parameters["tags"]
            default: Issue.record("\(reply)")
            }
        }
    }

    /// A sequence of random changes.
    private struct Changes {
        let sandbox: Sandbox
        var random: SplitMix
        /// Whether categories and tags are renamed, which is no change of their items.
        let renames: Bool
        private var count = 0

        init(_ sandbox: Sandbox, _ random: SplitMix, renames: Bool) {
            (self.sandbox, self.random, self.renames) = (sandbox, random, renames)
        }

        private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

        private mutating func ids() -> String {
            if number(0...9) == 0 { return (1...150).map(String.init).joined(separator: ",") }
            return "\(number(1...200))"
        }

        /// Makes one change, which the daemon may refuse.
        mutating func make() throws {
            count += 1
            let tag = #""tags":["t\#(number(0...3))"]"#
            let calls: [(method: String, parameters: String)] = [
                ("AddItem", #"{"name":"item \#(count)",\#(tag)}"#),
                ("AddItem", #"{"name":"item \#(count)","due":"tomorrow","every":"day"}"#),
                ("UpdateItems", #"{"ids":[\#(ids())],"priority":\#(number(0...9))}"#),
                ("UpdateItems", #"{"ids":[\#(ids())],"addTags":["t\#(number(0...3))"]}"#),
                ("UpdateItems", #"{"ids":[\#(ids())],"category":"c\#(number(0...3))"}"#),
                ("CompleteItems", #"{"ids":[\#(ids())]}"#), ("ReopenItems", #"{"ids":[\#(ids())]}"#),
                ("DeleteItems", #"{"ids":[\#(ids())]}"#),
                ("MuteItems", #"{"ids":[\#(ids())],"muted":\#(number(0...1) == 0)}"#),
                ("Undo", #"{"count":\#(number(1...4))}"#), ("Redo", #"{"count":\#(number(1...4))}"#),
                ("Undo", "{}"), ("Import", importParameters()),
                ("AddCategory", #"{"name":"c\#(number(0...3))"}"#),
                ("UpdateCategory", #"{"name":"c\#(number(0...3))","newName":"c\#(number(0...3))"}"#),
                ("UpdateCategory", #"{"name":"c\#(number(0...3))","muted":\#(number(0...1) == 0)}"#),
                ("UpdateTag", #"{"name":"t\#(number(0...3))","newName":"t\#(number(0...3))"}"#),
                ("DeleteTag", #"{"name":"t\#(number(0...3))"}"#),
            ]
            let call = calls.randomElement(using: &random) ?? calls[0]
            if !renames, ["UpdateCategory", "UpdateTag"].contains(call.method) { return }
            _ = try sandbox.call(call.method, call.parameters)
        }

        private mutating func importParameters() -> String {
            let first = number(0...50)
            let length = number(0...9) == 0 ? 600 : 5
            let items = (first..<first + length).map {
                #"{"uid":"u\#($0)","name":"import \#(count)","modifiedAt":"2\#(count + 100)-01-01T00:00:00Z"}"#
            }
            let text = #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
            return #"{"text":\#(JSON.string(text).text)}"#
        }
    }

    /// T1: After random changes, disconnections and restarts, the client's copy equals the list.
    @Test(arguments: 1...6) func copyOfItemsEqualsTheList(seed: UInt64) throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        var random = SplitMix(state: seed)
        let renames = seed % 2 == 0
        var changes = Changes(sandbox, SplitMix(state: seed + 1_000), renames: renames)
        let mirrors = [Mirror(sandbox), Mirror(sandbox)]
        for mirror in mirrors { try mirror.connect() }
        for round in 0..<40 {
            for _ in 0...Int.random(in: 0...4, using: &random) { try changes.make() }
            let marker = "marker \(round)"
            #expect(try sandbox.call("AddItem", #"{"name":"\#(marker)"}"#).error == nil)
            if Int.random(in: 0..<8, using: &random) == 0 {
                if Bool.random(using: &random) { #expect(daemon.stop() == 0) } else { daemon.kill() }
                for mirror in mirrors { mirror.disconnect() }
                daemon = try sandbox.startDaemon()
            }
            for mirror in mirrors {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mirror.disconnect()
                case 1:
                    // The other replies are lost.
                    try mirror.read(until: marker, limit: Int.random(in: 1...4, using: &random))
                    mirror.disconnect()
                case 2: try mirror.connect()
                default: try mirror.read(until: marker)
                }
            }
        }
        #expect(try sandbox.call("AddItem", #"{"name":"the end"}"#).error == nil)
        let list = try sandbox.replies("ListItems", #"{"state":"all"}"#).flatMap(\.items)
        for mirror in mirrors {
            try mirror.read(until: "the end")
            #expect(mirror.items.count == list.count, "seed \(seed)")
            for listed in list {
                guard case .integer(let id)? = listed["id"] else { continue }
                let item = try sandbox.call("GetItem", #"{"id":\#(id)}"#).parameters["item"]
                #expect(
                    comparable(item, renames) == comparable(mirror.items[id].map { .object($0) }, renames),
                    "seed \(seed)")
            }
            let categories = try sandbox.call("ListCategories").parameters["categories"]
            let tags = try sandbox.call("ListTags").parameters["tags"]
            #expect(
                names(mirror.categories) == names(categories) && names(mirror.tags) == names(tags),
                "seed \(seed)")
        }
    }

    private func names(_ list: JSON?) -> [JSON] {
        guard case .array(let elements)? = list else { return [] }
        return elements.compactMap { if case .object(let object) = $0 { object["name"] } else { nil } }
    }

    /// Returns the members of an item, without those that a renamed category or tag changes.
    private func comparable(_ item: JSON?, _ renames: Bool) -> [String: JSON] {
        guard case .object(let object)? = item else { return [:] }
        let others = renames ? ["category", "categoryMuted", "tags"] : []
        return Dictionary(object.members.filter { !others.contains($0.name) }.map { ($0.name, $0.value) }) {
            $1
        }
    }
}
