/// The contents of a store in memory: rows, pairs, largest IDs and metadata entries, with nested transactions.
///
/// Every change records the value that it replaces. Rolling back a level undoes its changes in reverse order.
package final class MemoryTables: RowSource {
    private enum Undo {
        case row(entity: Int, id: Int64, RowValues?)
        case pair(link: Int, owner: Int64, other: Int64, wasThere: Bool)
        case entries([String: String])
        case largestID(entity: Int, Int64)
    }

    /// A column that refers to an entity.
    private struct Referrer {
        let entity: Int
        let index: Int
    }

    package let model: ManagedObjectModel
    package private(set) var entries: [String: String]
    package private(set) var largestIDs: [Int64]
    private var tables: [RowTable]
    private var indexes: [[RowIndex]]
    private var constraints: [[ConstraintIndex]]
    private var pairs: [PairTable]
    /// The columns that refer to each entity.
    private let referrers: [[Referrer]]
    /// The number of references and ends of pairs that lead to rows that do not exist.
    private var danglingCount = 0

    private var log: [Undo] = []
    /// The position in the log at which each open level begins.
    private var levels: [Int] = []

    package init(model: ManagedObjectModel, entries: [String: String] = [:]) {
        self.model = model
        self.entries = entries
        largestIDs = model.entities.map { _ in 0 }
        tables = model.entities.map { _ in RowTable() }
        indexes = model.entities.map { RowIndex.all(of: $0) }
        constraints = model.entities.map { ConstraintIndex.all(of: $0) }
        pairs = model.links.map { _ in PairTable() }
        var referrers: [[Referrer]] = model.entities.map { _ in [] }
        for (entity, indexes) in indexes.enumerated() {
            for (position, index) in indexes.enumerated() {
                guard let destination = index.destination else { continue }
                referrers[destination].append(Referrer(entity: entity, index: position))
            }
        }
        self.referrers = referrers
    }

    // MARK: - Reading

    package func row(_ id: Int64, of entity: Entity) -> RowValues? {
        tables[entity.index][id]
    }

    package func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Bool) rethrows {
        // `body` may write, so the loop runs over a copy.
        let table = tables[entity.index]
        try table.forEach(body)
    }

    package func linkedIDs(_ link: Entity.Link, of id: Int64) -> [Int64] {
        pairs[link.index].ids(of: id, isOwner: link.isOwner)
    }

    package func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue,
        options: StringOptions
    ) -> [Int64]? {
        indexes[entity.index].first { $0.column == column && $0.options == options }.map { $0[value].ids }
    }

    package func ids(
        of entity: Entity, at columns: [Int], equal values: [AttributeValue]
    ) -> [Int64]? {
        constraints[entity.index].first { $0.columns == columns }.map { $0[values].ids }
    }

    /// Two objects that break a rule for properties that are unique together, or `nil` if there are none.
    func duplicates(of entity: Entity) -> (columns: [Int], ids: [Int64])? {
        for index in constraints[entity.index] {
            if let ids = index.duplicates { return (index.columns, ids) }
        }
        return nil
    }

    package func count(of entity: Entity) -> Int {
        tables[entity.index].count
    }

    package func pairs(of link: Int) -> PairTable {
        pairs[link]
    }

    // MARK: - Transactions

    var depth: Int { levels.count }

    /// Whether the open transaction has changed anything.
    var isChanged: Bool { !log.isEmpty }

    /// The rows that the open transaction has changed, each with the position of its entity.
    var writtenRows: some Sequence<(entity: Int, id: Int64)> {
        log.lazy.compactMap { change in
            if case .row(let entity, let id, _) = change { (entity, id) } else { nil }
        }
    }

    func begin() {
        levels.append(log.count)
    }

    func commit() {
        levels.removeLast()
        if levels.isEmpty { log = [] }
    }

    func rollback() {
        guard let start = levels.popLast() else { return }
        while log.count > start, let undo = log.popLast() { _ = carryOut(undo) }
    }

    /// Runs `body` with the contents as they were before the open transaction.
    func asSaved<Result>(_ body: () throws -> Result) rethrows -> Result {
        let redo = log.reversed().map { carryOut($0) }
        defer { for change in redo.reversed() { _ = carryOut(change) } }
        return try body()
    }

    /// Undoes a change, and returns the change that redoes it.
    private func carryOut(_ change: Undo) -> Undo {
        switch change {
        case .row(let entity, let id, let row):
            return .row(entity: entity, id: id, setRow(id, row, entity: entity))
        case .pair(let link, let owner, let other, let wasThere):
            setPair(owner: owner, other: other, link: link, isThere: wasThere)
            return .pair(link: link, owner: owner, other: other, wasThere: !wasThere)
        case .entries(let old):
            defer { entries = old }
            return .entries(entries)
        case .largestID(let entity, let old):
            defer { largestIDs[entity] = old }
            return .largestID(entity: entity, largestIDs[entity])
        }
    }

    // MARK: - Writing

    /// Writes a row, or deletes it if `row` is `nil`. Records the old row for a rollback.
    package func write(_ id: Int64, _ row: RowValues?, of entity: Entity) {
        let old = setRow(id, row, entity: entity.index)
        if !levels.isEmpty {
            log.append(.row(entity: entity.index, id: id, old))
            let largest = largestIDs[entity.index]
            if id > largest { log.append(.largestID(entity: entity.index, largest)) }
        }
        noteID(id, of: entity)
    }

    /// Writes a row with these values. The formats of files call this, so that the row is made here, by specialized code.
    package func write(_ id: Int64, _ values: [AttributeValue], of entity: Entity) {
        write(id, RowValues.make(values), of: entity)
    }

    package func writePair(owner: Int64, other: Int64, link: Int, isThere: Bool) {
        guard pairs[link].contains(owner: owner, other: other) != isThere else { return }
        setPair(owner: owner, other: other, link: link, isThere: isThere)
        if !levels.isEmpty {
            log.append(.pair(link: link, owner: owner, other: other, wasThere: !isThere))
        }
    }

    func writeEntries(_ new: [String: String]) {
        if !levels.isEmpty { log.append(.entries(entries)) }
        entries = new
    }

    /// Records that an object has or had this ID.
    package func noteID(_ id: Int64, of entity: Entity) {
        if id > largestIDs[entity.index] { largestIDs[entity.index] = id }
    }

    /// Sets or removes a row, and updates the indexes and the count of dangling references.
    ///
    /// References are removed while the old row still exists, and added when the new row exists. This way, an
    /// object that refers to itself does not count as dangling.
    ///
    /// - Returns: the old row.
    @discardableResult
    private func setRow(_ id: Int64, _ row: RowValues?, entity: Int) -> RowValues? {
        let old = tables[entity][id]
        for position in indexes[entity].indices {
            let column = indexes[entity][position].column
            guard let value = old?[column], value != row?[column] else { continue }
            indexes[entity][position].remove(id, at: value)
            if isDangling(value, indexes[entity][position]) { danglingCount -= 1 }
        }
        if (old == nil) != (row == nil) {
            danglingCount += row == nil ? referenceCount(entity, id) : -referenceCount(entity, id)
        }
        tables[entity].set(id, to: row)
        for position in indexes[entity].indices {
            let column = indexes[entity][position].column
            guard let value = row?[column], value != old?[column] else { continue }
            indexes[entity][position].insert(id, at: value)
            if isDangling(value, indexes[entity][position]) { danglingCount += 1 }
        }
        for position in constraints[entity].indices {
            constraints[entity][position].replace(old, by: row, id: id)
        }
        return old
    }

    private func setPair(owner: Int64, other: Int64, link: Int, isThere: Bool) {
        if isThere {
            pairs[link].insert(owner: owner, other: other)
        } else {
            pairs[link].remove(owner: owner, other: other)
        }
        let ends = model.links[link]
        let missing =
            (tables[ends.ownerIndex].contains(owner) ? 0 : 1)
            + (tables[ends.otherIndex].contains(other) ? 0 : 1)
        danglingCount += isThere ? missing : -missing
    }

    // MARK: - References

    private func isDangling(_ value: AttributeValue, _ index: RowIndex) -> Bool {
        guard let destination = index.destination, case .integer(let id) = value else { return false }
        return !tables[destination].contains(id)
    }

    /// Returns the number of references and pairs that lead to the object.
    private func referenceCount(_ entity: Int, _ id: Int64) -> Int {
        var count = 0
        for referrer in referrers[entity] {
            count += indexes[referrer.entity][referrer.index].count(referringTo: id)
        }
        for (link, ends) in model.links.enumerated() {
            if ends.ownerIndex == entity { count += pairs[link].count(of: id, isOwner: true) }
            if ends.otherIndex == entity { count += pairs[link].count(of: id, isOwner: false) }
        }
        return count
    }

    /// Returns the name of an object or a relationship that refers to an object that does not exist, or `nil`
    /// if there is none.
    package func danglingReference() -> String? {
        guard danglingCount != 0 else { return nil }
        for entity in model.entities {
            let references = indexes[entity.index].filter { $0.destination != nil }
            var found: Int64?
            forEachRow(of: entity) { id, row in
                if references.contains(where: { isDangling(row[$0.column], $0) }) { found = id }
                return found == nil
            }
            if let found { return "\(entity.name) \(found)" }
        }
        return model.links.enumerated().first { link, ends in
            pairs[link].ownerIDs.contains { owner in
                !tables[ends.ownerIndex].contains(owner)
                    || pairs[link].ids(of: owner, isOwner: true).contains {
                        !tables[ends.otherIndex].contains($0)
                    }
            }
        }.map { "a pair of \($0.element.name)" }
    }
}
