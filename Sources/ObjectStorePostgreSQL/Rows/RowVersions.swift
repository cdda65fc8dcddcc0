/// The versions of the rows that were read or written last.
///
/// A write of a row expects the version that was read. If another program has changed the row since then, nothing is
/// written. A version that is no longer here is not compared.
struct RowVersions {
    /// The number of versions after which the oldest ones are forgotten.
    private static let limit = 1 << 16

    private struct Key: Hashable {
        let entity: Int
        let id: Int64
    }

    private var recent: [Key: Int64] = [:]
    private var older: [Key: Int64] = [:]
    /// The versions before the writes of the open transaction.
    private var log: [(key: Key, before: Int64?)] = []
    /// The position in the log at which each open level begins.
    private var levels: [Int] = []

    /// Returns the version of a row that was read, or `nil` if it is not known.
    func expected(_ id: Int64, entity: Int) -> Int64? {
        let key = Key(entity: entity, id: id)
        return recent[key] ?? older[key]
    }

    mutating func read(_ id: Int64, entity: Int, version: Int64) {
        set(version, for: Key(entity: entity, id: id))
    }

    /// Records the version after a write, or `nil` after a deletion.
    mutating func written(_ id: Int64, entity: Int, version: Int64?) {
        let key = Key(entity: entity, id: id)
        if !levels.isEmpty { log.append((key, expected(id, entity: entity))) }
        set(version, for: key)
    }

    private mutating func set(_ version: Int64?, for key: Key) {
        older[key] = nil
        recent[key] = version
        guard recent.count > Self.limit else { return }
        older = recent
        recent = [:]
    }

    // MARK: - Transactions

    mutating func begin() {
        levels.append(log.count)
    }

    mutating func commit() {
        levels.removeLast()
        if levels.isEmpty { log = [] }
    }

    mutating func rollback() {
        guard let start = levels.popLast() else { return }
        while log.count > start, let (key, before) = log.popLast() { set(before, for: key) }
    }

    /// Rolls back all levels.
    mutating func rollbackAll() {
        while !levels.isEmpty { rollback() }
    }
}
