/// A buffer that keeps recently used objects alive. When it is full, each new object replaces the oldest.
struct RecentObjects {
    private static let capacity = 64
    private var objects: [ManagedObject] = []
    private var next = 0

    mutating func keep(_ object: ManagedObject) {
        if objects.count < Self.capacity {
            objects.append(object)
        } else {
            objects[next] = object
            next = (next + 1) % Self.capacity
        }
    }

    mutating func removeAll() {
        objects = []
        next = 0
    }
}
