extension ManagedObjectModel {
    /// The text from which the version hash is computed.
    ///
    /// It has one line for each entity, attribute and relationship, in sorted order, with everything that decides how
    /// values are stored:
    ///
    ///     entity ToDo
    ///     attribute completed boolean required
    ///     relationship category toOne Category.toDos optional
    ///
    /// The line of a derived attribute ends with its expression: `attribute key string optional derived from lowercase(title)`. If the attribute is required, `else` and its default
    /// follow.
    /// A set of properties whose values are unique together has a line `unique list,uid`. An entity that inherits from
    /// another one has a line `parent Item` and only its own properties, and an abstract entity has a line `abstract`.
    /// Defaults, rules, indexes, delete rules and former names are omitted, because they do not change stored values.
    public var canonicalText: String {
        Self.canonicalText(of: descriptions)
    }

    static func canonicalText(of entities: [EntityDescription]) -> String {
        entities.sorted { $0.name < $1.name }.map(\.canonicalText).joined()
    }
}

extension EntityDescription {
    var canonicalText: String {
        var text = "entity \(name)\n"
        if let parent { text += "parent \(parent)\n" }
        if isAbstract { text += "abstract\n" }
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            let need = attribute.isOptional ? "optional" : "required"
            let type = attribute.elementType.map { "list of \($0.rawValue)" } ?? attribute.type.rawValue
            text += "attribute \(attribute.name) \(type) \(need)"
            if let derivation = attribute.derivationText { text += " derived from \(derivation)" }
            text += "\n"
        }
        for end in relationships.sorted(by: { $0.name < $1.name }) {
            let kind = end.isToMany ? "toMany" : "toOne"
            let need = end.isOptional ? "optional" : "required"
            text += "relationship \(end.name) \(kind) \(end.destination).\(end.inverse) \(need)\n"
        }
        for names in uniqueness.map({ $0.sorted().joined(separator: ",") }).sorted() {
            text += "unique \(names)\n"
        }
        return text
    }
}
