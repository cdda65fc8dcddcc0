/// A hash table of the objects of one entity that a context knows, by ID. It does not retain them.
///
/// An object removes itself when it is deinitialized, so every reference in the table is valid. The table uses open
/// addressing with linear probing and Robin Hood hashing: entries that probe the same slots are in the order of their
/// home slots. So a removal ends at the first entry in its home slot, and needs no tombstones.
final class ObjectTable {
    private typealias Entry = (id: Int64, object: Unmanaged<ManagedObject>?)

    private static let firstCapacity = 32

    private var entries: UnsafeMutablePointer<Entry>
    private var mask = firstCapacity - 1
    /// 64 minus the number of bits in the number of a block. A block has 16 entries.
    private var shift: UInt64 = 63
    private(set) var count = 0
    /// The number of objects in memory that may be out of date.
    var outdatedCount = 0

    init() {
        entries = .allocate(capacity: Self.firstCapacity)
        entries.initialize(repeating: (0, nil), count: Self.firstCapacity)
    }

    deinit {
        entries.deallocate()
    }

    subscript(id: Int64) -> ManagedObject? {
        var position = home(of: id)
        while let object = entries[position].object {
            if entries[position].id == id { return object.takeUnretainedValue() }
            position = (position &+ 1) & mask
        }
        return nil
    }

    /// Adds an object. Its ID must not be in the table.
    func insert(_ object: ManagedObject) {
        if count &* 4 >= mask &* 3 { grow() }
        count &+= 1
        let entry: Entry = (object.id, .passUnretained(object))
        let position = home(of: entry.id)
        if entries[position].object == nil { entries[position] = entry } else { place(entry) }
    }

    func remove(_ id: Int64) {
        var hole = home(of: id)
        while entries[hole].object != nil, entries[hole].id != id {
            hole = (hole &+ 1) & mask
        }
        guard entries[hole].object != nil else { return }
        count &-= 1
        var next = (hole &+ 1) & mask
        while entries[next].object != nil, home(of: entries[next].id) != next {
            entries[hole] = entries[next]
            hole = next
            next = (next &+ 1) & mask
        }
        entries[hole] = (0, nil)
    }

    /// The objects, in no particular order.
    var objects: [ManagedObject] {
        (0...mask).compactMap { entries[$0].object?.takeUnretainedValue() }
    }

    private func home(of id: Int64) -> Int {
        // Consecutive IDs share a block, so a fetch accesses the table in the order of the store. Fibonacci hashing
        // spreads the blocks.
        let bits = UInt64(bitPattern: id)
        let block = ((bits >> 4) &* 0x9E37_79B9_7F4A_7C15) &>> shift
        return Int(truncatingIfNeeded: block << 4 | bits & 15)
    }

    private func place(_ newEntry: Entry) {
        var entry = newEntry
        var position = home(of: entry.id)
        var distance = 0
        while entries[position].object != nil {
            let otherDistance = (position &- home(of: entries[position].id)) & mask
            // An entry that is closer to its home makes room for one that is farther away.
            if otherDistance < distance {
                swap(&entries[position], &entry)
                distance = otherDistance
            }
            position = (position &+ 1) & mask
            distance &+= 1
        }
        entries[position] = entry
    }

    private func grow() {
        let old = entries
        let oldCapacity = mask + 1
        mask = oldCapacity * 2 - 1
        shift -= 1
        entries = .allocate(capacity: oldCapacity * 2)
        entries.initialize(repeating: (0, nil), count: oldCapacity * 2)
        for position in 0..<oldCapacity where old[position].object != nil {
            place(old[position])
        }
        old.deallocate()
    }
}
