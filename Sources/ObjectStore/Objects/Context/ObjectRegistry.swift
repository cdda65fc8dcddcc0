/// The state that the objects of one entity in one store share in one context: the entity, the store, the context,
/// and the table of objects.
///
/// The entities of a hierarchy share a table of objects. The registry of the whole hierarchy has one registry for each entity.
final class ObjectRegistry {
    let entity: Entity
    /// The entity with the table in the store.
    let stored: Entity
    let objectClass: ManagedObject.Type
    /// The position of the store in the coordinator.
    let store: Int
    /// The identifier of the store in object IDs, or `nil` for the first store.
    let storeIdentifier: UUIDValue?
    /// The context, or `nil` if it was released or the registry belongs to a prototype.
    unowned(unsafe) var context: ManagedObjectContext?
    let table: ObjectTable
    /// The registries of the entities of a hierarchy, by name.
    private var members: [String: ObjectRegistry] = [:]
    /// The recorder of the reads, if the object records the properties of a key path.
    let recorder: KeyRecorder?
    private let knownPositions = PositionCache()
    /// The columns of the composite attributes that were used before.
    private var composites: [AnyObject] = []
    private var compositePositions: [String: Int] = [:]

    init(
        entity: Entity, context: ManagedObjectContext?, store: Int = 0, storeIdentifier: UUIDValue? = nil,
        recorder: KeyRecorder? = nil
    ) {
        self.entity = entity
        stored = entity
        table = ObjectTable()
        objectClass = entity.description.managedObjectClass
        self.context = context
        self.store = store
        self.storeIdentifier = storeIdentifier
        self.recorder = recorder
    }

    private init(_ member: Entity, of whole: ObjectRegistry) {
        entity = member
        stored = whole.stored
        table = whole.table
        objectClass = member.description.managedObjectClass
        (context, store, storeIdentifier) = (whole.context, whole.store, whole.storeIdentifier)
        recorder = nil
    }

    /// Adds the registry of an entity of the hierarchy.
    func add(_ member: Entity) {
        members[member.name] = ObjectRegistry(member, of: self)
    }

    /// Forgets the context, which was released.
    func forgetContext() {
        context = nil
        for member in members.values { member.context = nil }
    }

    /// Returns the registry of an entity of the hierarchy, or this one if it is that of the entity.
    func member(_ entity: Entity) -> ObjectRegistry {
        entity === self.entity ? self : members[entity.name] ?? self
    }

    /// Returns the registry of the entity of an object with these values.
    func member(of values: RowValues) -> ObjectRegistry? {
        guard case .string(let name) = values[Entity.Inheritance.column] else { return nil }
        return members[name]
    }

    /// Makes the object of a row.
    func makeSaved(_ id: Int64, _ values: consuming RowValues) -> ManagedObject {
        let object = objectClass.init(
            ObjectPlacement(registry: self, id: id, values: values, state: .saved))
        object.hasRow = true
        return object
    }

    /// Returns the object ID of an object of the store.
    func objectID(_ id: Int64) -> ObjectID {
        ObjectID(entity: stored.name, id: id, store: storeIdentifier)
    }

    /// Returns the position of a property that was used before, or `nil` if it was not. It is a position in the
    /// entity's `columns`, or in `toMany`.
    func knownPosition(of wrapper: AnyKeyPath) -> Int? {
        knownPositions[wrapper]
    }

    /// Returns the position of a property by its name, and caches it.
    func findPosition<Object: ManagedObject>(of wrapper: PartialKeyPath<Object>) -> Int {
        let name = ClassDeclaration.of(objectClass).declaration(of: wrapper).name
        switch entity.property(named: name) {
        case .attribute(let position), .toOne(let position), .toMany(let position):
            knownPositions.remember(position, of: wrapper)
            return position
        // Unreachable: the model was built only because the entity has the properties of its class.
        case nil: fatalError("\(entity.name) has no property \(name)")
        }
    }

    /// Finds the columns of a composite attribute, and caches them.
    ///
    /// - Returns: Their position among those of the registry.
    func findComposite<Object: ManagedObject>(
        of wrapper: PartialKeyPath<Object>, _ find: (Entity, String) -> AnyObject
    ) -> Int {
        let name = ClassDeclaration.of(objectClass).declaration(of: wrapper).name
        // The cache of positions has no place for all key paths of a generic class.
        let position = compositePositions[name] ?? composites.count
        if position == composites.count {
            composites.append(find(entity, name))
            compositePositions[name] = position
        }
        knownPositions.remember(position, of: wrapper)
        return position
    }

    /// Returns the columns of a composite attribute that was used before.
    func composite<Columns: AnyObject>(at position: Int, _ type: Columns.Type) -> Columns {
        unsafeDowncast(composites[position], to: type)
    }
}

/// A cache of the positions of a class's properties, by the identity of the key path to their wrapper.
///
/// The compiler passes the same key path object at every use of a property, so a position is usually found at the first
/// probe. Looking up the name in a dictionary would be most of the cost of reading a value. The cache retains the key
/// paths, so that their addresses are not reused. When it is half full, it adds no more entries.
private final class PositionCache {
    private static let capacity = 256
    private let paths: UnsafeMutablePointer<Unmanaged<AnyKeyPath>?>
    private let positions: UnsafeMutablePointer<Int>
    private var count = 0

    init() {
        paths = .allocate(capacity: Self.capacity)
        paths.initialize(repeating: nil, count: Self.capacity)
        positions = .allocate(capacity: Self.capacity)
        positions.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        for place in 0..<Self.capacity { paths[place]?.release() }
        paths.deallocate()
        positions.deallocate()
    }

    subscript(path: AnyKeyPath) -> Int? {
        let address = Unmanaged.passUnretained(path).toOpaque()
        var place = home(of: address)
        while let known = paths[place] {
            if known.toOpaque() == address { return positions[place] }
            place = (place &+ 1) & (Self.capacity - 1)
        }
        return nil
    }

    func remember(_ position: Int, of path: AnyKeyPath) {
        guard count < Self.capacity / 2 else { return }
        count += 1
        var place = home(of: Unmanaged.passUnretained(path).toOpaque())
        while paths[place] != nil {
            place = (place + 1) & (Self.capacity - 1)
        }
        paths[place] = .passRetained(path)
        positions[place] = position
    }

    private func home(of address: UnsafeMutableRawPointer) -> Int {
        let bits = UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: bits >> 56)
    }
}
