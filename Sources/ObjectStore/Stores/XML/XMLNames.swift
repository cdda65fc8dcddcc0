/// The names of a model as XML stores write them: entities in capitals, properties in small letters.
///
/// A model tells no two names apart by their case alone, so each leads back to one of the model's.
struct XMLNames {
    let model: ManagedObjectModel
    private let entities: [String: Entity]
    /// Where the properties of each entity stand in it.
    private let properties: [[String: Entity.Property]]

    init(_ model: ManagedObjectModel) {
        self.model = model
        let entities = model.entities.map { ($0.name.uppercased(), $0) }
        self.entities = Dictionary(uniqueKeysWithValues: entities)
        properties = model.entities.map { entity in
            Dictionary(uniqueKeysWithValues: entity.properties.map { ($0.lowercased(), $1) })
        }
    }

    // Names mostly come as they are written here, and changing the case of each would take longer than the rest.

    func entity(_ name: String) -> Entity? {
        entities[name] ?? entities[name.uppercased()]
    }

    func property(_ name: String, of entity: Entity) -> Entity.Property? {
        properties[entity.index][name] ?? properties[entity.index][name.lowercased()]
    }

    /// The word for a type in an XML store.
    static func word(for type: AttributeType) -> String {
        switch type {
        case .string: "string"
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .double: "double"
        case .decimal: "decimal"
        case .boolean: "bool"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        }
    }

    /// Whether values of that word can be read as values of the type. Numbers of one kind go for another: what
    /// does not fit is found when it is read.
    static func reads(_ word: String, as type: AttributeType) -> Bool {
        if word == Self.word(for: type) { return true }
        let word = word.lowercased()
        return switch type {
        case .integer16, .integer32, .integer64: ["int16", "int32", "int64"].contains(word)
        case .double, .decimal: ["float", "double", "decimal", "int16", "int32", "int64"].contains(word)
        default: word == Self.word(for: type)
        }
    }
}
