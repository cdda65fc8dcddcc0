/// The objects of one entity that a context knows, by id, without holding them.
///
/// An object takes itself out when it goes, so every reference here is to an object that is alive. Open
/// addressing with linear probing; a removal closes its gap, so there are no tombstones to collect.
struct ObjectTable: ~Copyable {
    private typealias Entry = (id: Int64, object: Unmanaged<ManagedObject>?)

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private var shift: UInt64
    private(set) var count = 0

    init() {
        mask = 15
        shift = 60
        entries = .allocate(capacity: 16)
        entries.initialize(repeating: (0, nil), count: 16)
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
    mutating func insert(_ object: ManagedObject) {
        if count &* 4 >= mask &* 3 { grow() }
        place((object.id, .passUnretained(object)))
        count &+= 1
    }

    mutating func remove(_ id: Int64) {
        var hole = home(of: id)
        while entries[hole].object != nil, entries[hole].id != id {
            hole = (hole &+ 1) & mask
        }
        guard entries[hole].object != nil else { return }
        count &-= 1
        // Each entry behind the hole moves into it unless that would put it before its home.
        var next = (hole &+ 1) & mask
        while entries[next].object != nil {
            let distance = (next &- home(of: entries[next].id)) & mask
            if distance >= (next &- hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        entries[hole] = (0, nil)
    }

    /// The objects, in no particular order.
    var objects: [ManagedObject] {
        (0...mask).compactMap { entries[$0].object?.takeUnretainedValue() }
    }

    private func home(of id: Int64) -> Int {
        // Fibonacci hashing: ids that follow one another, or are far apart by a power of two, spread.
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    private mutating func place(_ entry: Entry) {
        var position = home(of: entry.id)
        while entries[position].object != nil {
            position = (position &+ 1) & mask
        }
        entries[position] = entry
    }

    private mutating func grow() {
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
