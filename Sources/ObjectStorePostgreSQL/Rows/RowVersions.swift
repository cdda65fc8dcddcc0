/// The versions of the rows that were read or written last.
///
/// A write of a row expects the version that was read. If another program has changed the row since then, nothing is
/// written. A version that is no longer here is not compared.
struct RowVersions {
    /// The number of versions of an entity after which the oldest ones are forgotten.
    private static let limit = 1 << 16

    /// The versions of one entity.
    private struct Versions {
        var recent = VersionTable()
        var older = VersionTable()
    }

    private struct Key {
        let entity: Int
        let id: Int64
    }

    private var versions: [Versions]
    /// The versions before the writes of the open transaction.
    private var log: [(key: Key, before: Int64?)] = []
    /// The position in the log at which each open level begins.
    private var levels: [Int] = []

    init(entityCount: Int) {
        versions = Array(repeating: Versions(), count: entityCount)
    }

    /// Returns the version of a row that was read, or `nil` if it is not known.
    func expected(_ id: Int64, entity: Int) -> Int64? {
        let version = versions[entity].recent[id] ?? versions[entity].older[id]
        return version == VersionTable.unknown ? nil : version
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
        versions[key.entity].recent.set(version ?? VersionTable.unknown, for: key.id)
        guard versions[key.entity].recent.count > Self.limit else { return }
        versions[key.entity].older = versions[key.entity].recent
        versions[key.entity].recent = VersionTable()
    }

    /// Forgets all versions, also those before the open transaction.
    mutating func forgetAll() {
        for entity in versions.indices { versions[entity] = Versions() }
        log = log.map { ($0.key, nil) }
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

/// A hash table from IDs to versions. A large fetch records a version for each row, for which a dictionary takes too long.
private struct VersionTable {
    /// The version of a row that must not be compared.
    static let unknown: Int64 = -1

    private static let smallest = 64
    /// The bits of the golden ratio, which spread consecutive IDs.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private struct Slot {
        var id: Int64 = 0
        /// The version, or 0 if the slot is empty.
        var version: Int64 = 0
    }

    private var slots: [Slot] = []
    private(set) var count = 0

    subscript(id: Int64) -> Int64? {
        guard !slots.isEmpty else { return nil }
        let slot = slots[position(of: id)]
        return slot.version == 0 ? nil : slot.version
    }

    mutating func set(_ version: Int64, for id: Int64) {
        if count * 2 >= slots.count { grow() }
        let position = position(of: id)
        if slots[position].version == 0 { count += 1 }
        slots[position] = Slot(id: id, version: version)
    }

    /// Returns the position of the slot of an ID, or of the empty slot in which it belongs.
    private func position(of id: Int64) -> Int {
        let mask = slots.count - 1
        var position = Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* Self.factor) >> 32) & mask
        while slots[position].version != 0, slots[position].id != id { position = (position + 1) & mask }
        return position
    }

    private mutating func grow() {
        let former = slots
        slots = Array(repeating: Slot(), count: max(Self.smallest, former.count * 2))
        for slot in former where slot.version != 0 { slots[position(of: slot.id)] = slot }
    }
}
