/// The attributes of a model that are derived from related objects, and the changes that affect them.
struct RelatedDerivations: Sendable {
    /// One attribute.
    struct Value: Sendable {
        /// The position of the attribute in the entity's columns.
        let column: Int
        /// The expression with the value that replaces nil.
        let text: String
        /// The names of the entities of a hierarchy that have the attribute, or `nil` if there is no hierarchy.
        let entityNames: Set<String>?
        let derivation: Derivation
    }

    /// An entity that has such attributes, which are computed together.
    struct DerivedEntity: Sendable {
        /// The attributes, in an order in which each can use those before it.
        let attributes: [Value]
        /// The positions of the attributes in the entity's columns.
        let columns: Set<Int>
        /// The columns of the object after whose change the values are computed again.
        let triggers: ColumnSet
        /// The columns of the to-one relationships that the expressions use.
        let targets: [Int]
        /// The to-many relationships that the expressions use, and the columns of the objects in them, or `nil` if the
        /// objects are only counted.
        let members: [(position: Int, columns: [Int]?)]
    }

    /// The way from a changed object to the objects with derived attributes.
    enum Path: Sendable {
        /// A to-one relationship of the changed object, with its column.
        case target(Int)
        /// A to-one relationship of the other objects to the changed one, with its column.
        case references(Int)
        /// A many-to-many relationship, as seen from the changed object.
        case link(Entity.Link)
    }

    /// An effect that a change of an object has on others.
    struct Effect: Sendable {
        /// The position of the entity of the other objects in the model.
        let entity: Int
        let path: Path
        /// The columns whose change has the effect.
        let columns: ColumnSet
    }

    /// The entities of the model, or `nil` for one without such attributes.
    let entities: [DerivedEntity?]
    /// The positions of the entities that have an attribute of a name.
    let entitiesByName: [String: Set<Int>]
    /// The effects of changed objects of each entity.
    private(set) var effects: [[Effect]]
    /// The sides of each many-to-many relationship that have derived attributes, by the position of the link.
    private(set) var linkSides: [Int: [(entity: Int, isOwner: Bool)]] = [:]

    init(_ derived: [DerivedEntity?], of entities: [Entity]) {
        self.entities = derived
        var named: [String: Set<Int>] = [:]
        for (entity, derived) in zip(entities, derived) {
            for column in derived?.columns ?? [] {
                named[entity.columns[column].name, default: []].insert(entity.index)
            }
        }
        entitiesByName = named
        effects = entities.map { _ in [] }
        for (entity, derived) in zip(entities, derived) {
            guard let derived else { continue }
            for column in derived.targets {
                add(
                    .references(column), of: entity, from: entity.toOne(at: column).destinationIndex,
                    derived.attributes.flatMap { $0.derivation.targets[column] ?? [] })
            }
            for (position, columns) in derived.members {
                let relationship = entity.toMany[position]
                let destination = relationship.destinationIndex
                switch relationship.inverse {
                case .toOne(let column):
                    add(.target(column), of: entity, from: destination, columns ?? [])
                case .toMany(let inverse):
                    guard let link = relationship.link, let back = entities[destination].toMany[inverse].link
                    else { continue }
                    add(.link(back), of: entity, from: destination, columns ?? [])
                    linkSides[link.index, default: []].append((entity.index, link.isOwner))
                case .attribute: continue
                }
            }
        }
    }

    private mutating func add(_ path: Path, of derived: Entity, from changed: Int, _ columns: [Int]) {
        var set = ColumnSet.none
        for column in columns { set.insert(column) }
        effects[changed].append(Effect(entity: derived.index, path: path, columns: set))
    }

    /// Whether a change of these columns of an object of an entity can affect derived attributes.
    func isAffected(by columns: ColumnSet, of entity: Entity) -> Bool {
        if entities[entity.index]?.triggers.intersects(columns) == true { return true }
        return effects[entity.index].contains { effect in
            if case .target(let column) = effect.path, columns.contains(column) { return true }
            return effect.columns.intersects(columns)
        }
    }
}
