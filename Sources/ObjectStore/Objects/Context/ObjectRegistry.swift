/// The state that the objects of one entity in one store share in one context: the entity, the store, the context,
/// and the table of objects.
final class ObjectRegistry {
    let entity: Entity
    let objectClass: ManagedObject.Type
    /// The position of the store in the coordinator.
    let store: Int
    /// The identifier of the store in object IDs, or `nil` for the first store.
    let storeIdentifier: UUIDValue?
    /// The context, or `nil` if it was released or the registry belongs to a prototype.
    unowned(unsafe) var context: ManagedObjectContext?
    let table = ObjectTable()
    /// The number of objects in memory that may be out of date.
    var outdatedCount = 0
    private let knownColumns = ColumnCache()

    init(
        entity: Entity, context: ManagedObjectContext?, store: Int = 0, storeIdentifier: UUIDValue? = nil
    ) {
        self.entity = entity
        objectClass = entity.description.managedObjectClass
        self.context = context
        self.store = store
        self.storeIdentifier = storeIdentifier
    }

    /// Returns the object ID of an object of the store.
    func objectID(_ id: Int64) -> ObjectID {
        ObjectID(entity: entity.name, id: id, store: storeIdentifier)
    }

    /// Returns the column of a property that was used before, or `nil` if it was not.
    func knownColumn(of wrapper: AnyKeyPath) -> Int? {
        knownColumns[wrapper]
    }

    /// Returns the column of a property by its name, and caches it.
    func findColumn(of wrapper: AnyKeyPath, named name: String) -> Int {
        guard let column = entity.column(named: name) else {
            preconditionFailure("\(entity.name) has no attribute or to-one relationship \(name)")
        }
        knownColumns.remember(column, of: wrapper)
        return column
    }
}

/// A cache of the columns of a class's properties, by the identity of the key path to their wrapper.
///
/// The compiler passes the same key path object at every use of a property, so a column is usually found at the first
/// probe. Looking up the name in a dictionary would be most of the cost of reading a value. The cache retains the key
/// paths, so that their addresses are not reused. When it is half full, it adds no more entries.
private final class ColumnCache {
    private static let capacity = 256
    private let paths: UnsafeMutablePointer<Unmanaged<AnyKeyPath>?>
    private let columns: UnsafeMutablePointer<Int>
    private var count = 0

    init() {
        paths = .allocate(capacity: Self.capacity)
        paths.initialize(repeating: nil, count: Self.capacity)
        columns = .allocate(capacity: Self.capacity)
        columns.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        for position in 0..<Self.capacity { paths[position]?.release() }
        paths.deallocate()
        columns.deallocate()
    }

    subscript(path: AnyKeyPath) -> Int? {
        let address = Unmanaged.passUnretained(path).toOpaque()
        var position = home(of: address)
        while let known = paths[position] {
            if known.toOpaque() == address { return columns[position] }
            position = (position &+ 1) & (Self.capacity - 1)
        }
        return nil
    }

    func remember(_ column: Int, of path: AnyKeyPath) {
        guard count < Self.capacity / 2 else { return }
        count += 1
        var position = home(of: Unmanaged.passUnretained(path).toOpaque())
        while paths[position] != nil {
            position = (position + 1) & (Self.capacity - 1)
        }
        paths[position] = .passRetained(path)
        columns[position] = column
    }

    private func home(of address: UnsafeMutableRawPointer) -> Int {
        let bits = UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: bits >> 56)
    }
}
