/// A set of IDs without an allocation for a single ID, which is the common case in an index.
struct IDSet {
    private enum Members {
        case one(Int64)
        case many(Set<Int64>)
    }

    private var members: Members = .many([])

    var count: Int {
        switch members {
        case .one: 1
        case .many(let ids): ids.count
        }
    }

    var isEmpty: Bool { count == 0 }

    var ids: [Int64] {
        switch members {
        case .one(let id): [id]
        case .many(let ids): Array(ids)
        }
    }

    func contains(_ id: Int64) -> Bool {
        switch members {
        case .one(let only): only == id
        case .many(let ids): ids.contains(id)
        }
    }

    mutating func insert(_ id: Int64) {
        switch members {
        case .one(let only):
            if only != id { members = .many([only, id]) }
        case .many(var ids):
            if ids.isEmpty {
                members = .one(id)
            } else {
                // A second reference to the set would make the insertion copy it.
                members = .many([])
                ids.insert(id)
                members = .many(ids)
            }
        }
    }

    mutating func remove(_ id: Int64) {
        switch members {
        case .one(let only):
            if only == id { members = .many([]) }
        case .many(var ids):
            members = .many([])
            ids.remove(id)
            members = .many(ids)
        }
    }
}
