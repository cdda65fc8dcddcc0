/// A cache with a limited number of values. Each new value in a full cache replaces the least recently used one.
package struct RecentlyUsed<Key: Hashable, Value> {
    private let capacity: Int
    private var entries: [Key: (value: Value, used: Int)] = [:]
    private var clock = 0
    /// The value that was used last, which is often used next.
    private var last: (key: Key, value: Value)?

    package init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// Returns the value of a key and marks it as used now, or returns `nil` if there is none.
    package subscript(key: Key) -> Value? {
        mutating get {
            if let last, last.key == key { return last.value }
            guard let index = entries.index(forKey: key) else { return nil }
            clock += 1
            entries.values[index].used = clock
            let value = entries.values[index].value
            last = (key, value)
            return value
        }
    }

    package mutating func insert(_ value: Value, for key: Key) {
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            entries.removeValue(forKey: oldest.key)
        }
        clock += 1
        entries[key] = (value, clock)
        last = (key, value)
    }

    package mutating func removeAll() {
        entries = [:]
        last = nil
    }
}
