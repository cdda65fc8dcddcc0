internal import ObjectStore

extension ToDo {
    /// The items above this one, its parent first.
    ///
    /// A store that another program has changed may have a cycle. Each item is returned once.
    package var ancestors: [ToDo] {
        var items: [ToDo] = []
        var next = parent
        while let item = next, item !== self, !items.contains(item) {
            items.append(item)
            next = item.parent
        }
        return items
    }

    /// Returns the items below this one, those of a level together.
    ///
    /// - Parameter isIncluded: whether an item and the items below it are returned.
    package func descendants(where isIncluded: (ToDo) -> Bool = { _ in true }) throws -> [ToDo] {
        try levelsBelow(where: isIncluded).flatMap(\.self)
    }

    /// Returns the items of each level below this one.
    package func levelsBelow(where isIncluded: (ToDo) -> Bool = { _ in true }) throws -> [[ToDo]] {
        var levels: [[ToDo]] = []
        var seen: Set<ToDo> = [self]
        var level = [self]
        while !level.isEmpty {
            if level.count > 1 { _ = try context?.prefetch("children", of: level) }
            level = try level.flatMap { try $0.children.all() }.filter {
                isIncluded($0) && seen.insert($0).inserted
            }
            if !level.isEmpty { levels.append(level) }
        }
        return levels
    }

    /// Whether this item waits for `item`, directly or through other items.
    package func isBlocked(by item: ToDo) throws -> Bool {
        var seen: Set<ToDo> = []
        var rest = try blockers.all()
        while let next = rest.popLast() {
            if next === item { return true }
            if seen.insert(next).inserted { rest += try next.blockers.all() }
        }
        return false
    }
}
