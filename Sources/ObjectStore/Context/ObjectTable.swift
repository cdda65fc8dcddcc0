/// The objects of one entity that a context knows, by id, without holding them.
///
/// An object takes itself out when it goes, so every reference here is to an object that is alive. Open
/// addressing with linear probing, each run in the order of its homes ("Robin Hood"): then a removal ends
/// at the first entry that is at home, and there are no tombstones to collect.
final class ObjectTable {
    private typealias Entry = (id: Int64, object: Unmanaged<ManagedObject>?)

    private static let firstCapacity = 32

    private var entries: UnsafeMutablePointer<Entry>
    private var mask = firstCapacity - 1
    /// 64 less the bits of a block's number: there are 16 entries in each.
    private var shift: UInt64 = 63
    private(set) var count = 0

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

    /// Adds an object whose id is not in the table.
    func insert(_ object: ManagedObject) {
        if count &* 4 >= mask &* 3 { grow() }
        place((object.id, .passUnretained(object)))
        count &+= 1
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
        // Ids that follow one another stay together, so that a fetch walks through the table as it walks
        // through the store; their blocks are spread by Fibonacci hashing.
        let bits = UInt64(bitPattern: id)
        let block = ((bits >> 4) &* 0x9E37_79B9_7F4A_7C15) >> shift
        return Int(truncatingIfNeeded: block << 4 | bits & 15)
    }

    private func place(_ newEntry: Entry) {
        var entry = newEntry
        var position = home(of: entry.id)
        var distance = 0
        while entries[position].object != nil {
            let otherDistance = (position &- home(of: entries[position].id)) & mask
            // Who is closer to home makes room for who is farther from it.
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
