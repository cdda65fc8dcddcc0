import TestSupport
import Testing
import Varlink

/// Random changes of a small forest of items, compared with a model after each step.
@Suite struct SubtaskWalkTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func forestIsThatOfModel(seed: UInt64) throws {
        let sandbox = try Sandbox()
        if seed % 2 == 0 { try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf") }
        _ = try sandbox.startDaemon()
        var walk = ForestWalk(seed: seed, connection: try sandbox.connect())
        for step in 0..<200 {
            let action = try walk.step()
            let stored = try walk.storedForest()
            #expect(stored == walk.forest, "seed \(seed), step \(step): \(action)")
            guard stored == walk.forest else { return }
        }
    }
}

/// The items, their parents, states, blockers and order.
private struct Forest: Equatable {
    struct Node: Equatable {
        var parent: Int64?
        var isDone = false
        var blockers: Set<Int64> = []
    }

    var nodes: [Int64: Node] = [:]
    /// The subtasks of each item, in their order.
    var children: [Int64: [Int64]] = [:]

    func ancestors(of id: Int64) -> [Int64] {
        var all: [Int64] = []
        var next = nodes[id]?.parent
        while let item = next {
            all.append(item)
            next = nodes[item]?.parent
        }
        return all
    }

    func descendants(of id: Int64) -> [Int64] {
        (children[id] ?? []).flatMap { [$0] + descendants(of: $0) }
    }

    func waits(_ id: Int64, for other: Int64) -> Bool {
        (nodes[id]?.blockers ?? []).contains { $0 == other || waits($0, for: other) }
    }

    func allows(_ id: Int64, below parent: Int64) -> Bool {
        nodes[id]?.parent == parent
            || parent != id && !ancestors(of: parent).contains(id)
                && !(nodes[parent]?.isDone == true && nodes[id]?.isDone != true)
    }

    mutating func place(_ id: Int64, below parent: Int64?, at index: Int? = nil) {
        if let old = nodes[id]?.parent {
            children[old]?.removeAll { $0 == id }
            if children[old]?.isEmpty == true { children[old] = nil }
        }
        nodes[id]?.parent = parent
        guard let parent else { return }
        var list = children[parent] ?? []
        list.insert(id, at: index ?? list.count)
        children[parent] = list
    }

    mutating func remove(_ id: Int64) {
        let gone = Set(descendants(of: id) + [id])
        place(id, below: nil)
        for item in gone {
            nodes[item] = nil
            children[item] = nil
        }
        for item in nodes.keys { nodes[item]?.blockers.subtract(gone) }
    }
}

private struct ForestWalk {
    private(set) var forest = Forest()
    private var undone: [Forest] = []
    private var done: [Forest] = []
    private var random: SplitMix
    private let connection: ClientConnection

    init(seed: UInt64, connection: ClientConnection) {
        random = SplitMix(state: seed)
        self.connection = connection
    }

    private func call(_ method: String, _ parameters: String) throws -> MethodReply {
        try connection.call(method, parameters)
        return try connection.nextReply()
    }

    private mutating func item() -> Int64? { forest.nodes.keys.sorted().randomElement(using: &random) }

    /// Makes a random change here and in the store, and returns its description.
    mutating func step() throws -> String {
        guard let id = item() else { return try add(below: nil) }
        let other = item() ?? id
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1: return try add(below: forest.nodes.count < 25 ? id : nil)
        case 2: return try add(below: nil)
        case 3, 4:
            let isAllowed = forest.allows(id, below: other)
            var next = forest
            if forest.nodes[id]?.parent != other { next.place(id, below: other) }
            return try change(
                "UpdateItems", #"{"ids":[\#(id)],"parent":\#(other)}"#, to: isAllowed ? next : nil)
        case 5:
            var next = forest
            next.place(id, below: nil)
            return try change("UpdateItems", #"{"ids":[\#(id)],"parent":0}"#, to: next)
        case 6, 7:
            let isAfter = Bool.random(using: &random)
            var next: Forest?
            if id != other, let parent = forest.nodes[other]?.parent, forest.allows(id, below: parent) {
                var moved = forest
                moved.place(id, below: nil)
                let index = moved.children[parent]?.firstIndex(of: other) ?? 0
                moved.place(id, below: parent, at: isAfter ? index + 1 : index)
                next = moved
            }
            let field = isAfter ? "after" : "before"
            return try change("UpdateItems", #"{"ids":[\#(id)],"\#(field)":\#(other)}"#, to: next)
        case 8:
            var next = forest
            if forest.nodes[id]?.isDone != true {
                for item in [id] + forest.descendants(of: id) { next.nodes[item]?.isDone = true }
            }
            return try change("CompleteItems", #"{"ids":[\#(id)]}"#, to: next)
        case 9:
            var next = forest
            for item in [id] + forest.ancestors(of: id) { next.nodes[item]?.isDone = false }
            let isDone = forest.nodes[id]?.isDone == true
            return try change("ReopenItems", #"{"ids":[\#(id)]}"#, to: isDone ? next : nil)
        case 10:
            guard forest.nodes.count > 12 else { return try add(below: id) }
            var next = forest
            next.remove(id)
            return try change("DeleteItems", #"{"ids":[\#(id)]}"#, to: next)
        case 11:
            var next = forest
            let isAllowed = id != other && !forest.waits(other, for: id)
            next.nodes[id]?.blockers.insert(other)
            return try change(
                "UpdateItems", #"{"ids":[\#(id)],"addBlockedBy":[\#(other)]}"#,
                to: isAllowed || forest.nodes[id]?.blockers.contains(other) == true ? next : nil)
        default: return try Bool.random(using: &random) ? undo() : redo()
        }
    }

    private mutating func add(below parent: Int64?) throws -> String {
        let parameters = #"{"name":"x","parent":\#(parent ?? 0)}"#
        let reply = try call("AddItem", parameters)
        let isDone = parent.map { forest.nodes[$0]?.isDone == true } ?? false
        #expect((reply.error != nil) == isDone, "\(reply)")
        guard case .object(let item)? = reply.parameters["item"], case .integer(let id)? = item["id"] else {
            return parameters
        }
        done.append(forest)
        undone = []
        forest.nodes[id] = Forest.Node()
        forest.place(id, below: parent)
        return "AddItem \(parameters)"
    }

    /// Makes a change that leads to `next`, or is refused if that is `nil`.
    private mutating func change(_ method: String, _ parameters: String, to next: Forest?) throws -> String {
        let reply = try call(method, parameters)
        #expect((reply.error == nil) == (next != nil), "\(method) \(parameters): \(reply)")
        if let next, reply.error == nil, next != forest {
            done.append(forest)
            undone = []
            forest = next
        }
        return "\(method) \(parameters)"
    }

    private mutating func undo() throws -> String {
        let reply = try call("Undo", "{}")
        #expect((reply.error == nil) == !done.isEmpty, "\(reply)")
        if let last = done.popLast() {
            undone.append(forest)
            forest = last
        }
        return "Undo"
    }

    private mutating func redo() throws -> String {
        let reply = try call("Redo", "{}")
        #expect((reply.error == nil) == !undone.isEmpty, "\(reply)")
        if let next = undone.popLast() {
            done.append(forest)
            forest = next
        }
        return "Redo"
    }

    /// Returns the forest in the store.
    func storedForest() throws -> Forest {
        let fields = #""fields":["parent","position","blockedBy"]"#
        let items = try call("ListItems", #"{"state":"all","order":["position","id"],\#(fields)}"#).items
        var forest = Forest()
        for item in items {
            guard case .integer(let id)? = item["id"] else { continue }
            var node = Forest.Node(isDone: item["completed"] == .boolean(true))
            if case .array(let blockers)? = item["blockedBy"] {
                node.blockers = Set(blockers.compactMap { if case .integer(let id) = $0 { id } else { nil } })
            }
            if case .integer(let parent)? = item["parent"] {
                node.parent = parent
                forest.children[parent, default: []].append(id)
            }
            forest.nodes[id] = node
        }
        return forest
    }
}
