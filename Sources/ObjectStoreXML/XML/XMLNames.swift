internal import ObjectStore

/// The names of a model as they are in XML stores: entities in upper case, properties in lower case.
///
/// No two names of a model differ in case only, so each name in a store identifies one name of the model.
struct XMLNames {
    let model: ManagedObjectModel
    private let entities: [String: Entity]
    /// The properties of each entity, by their names in lower case.
    private let properties: [[String: Entity.Property]]

    init(_ model: ManagedObjectModel) {
        self.model = model
        let entities = model.entities.map { ($0.name.uppercased(), $0) }
        self.entities = Dictionary(uniqueKeysWithValues: entities)
        properties = model.entities.map { entity in
            Dictionary(uniqueKeysWithValues: entity.properties.map { ($0.lowercased(), $1) })
        }
    }

    // Most names have the expected case already. Converting each name would take longer than everything else here.

    func entity(_ name: String) -> Entity? {
        entities[name] ?? entities[name.uppercased()]
    }

    func property(_ name: String, of entity: Entity) -> Entity.Property? {
        properties[entity.index][name] ?? properties[entity.index][name.lowercased()]
    }

    /// Returns the word for a type in an XML store.
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

    /// Whether values of the type that `word` names can be read as values of `type`. Any integer type can be
    /// read as another one, and any number as a double or a decimal. A number that does not fit is an error
    /// when it is read.
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
