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
    /// Defaults, rules, indexes, delete rules and most former names are omitted, because they do not change stored values.
    ///
    /// If the former name of a property is also the name of a property of the entity, it decides which values both have. So the
    /// line of the renamed property ends with `renamed from` and the former name. An entity whose former name is the name of
    /// another one has a line `entity A renamed from B` at the end.
    public var canonicalText: String {
        Self.canonicalText(of: descriptions)
    }

    static func canonicalText(of entities: [EntityDescription]) -> String {
        let text = entities.sorted { $0.name < $1.name }.map(\.canonicalText).joined()
        let reused = ReusedNames(entities.map { ($0.name, [$0.renamedFrom].compactMap(\.self)) })
        return text
            + reused.formerNames.sorted { $0.key < $1.key }
            .map { "entity \($0.key) renamed from \($0.value)\n" }.joined()
    }
}

/// The former names of entities, or of the properties of an entity, that are also current names.
///
/// Two versions of a model may differ in nothing else.
private struct ReusedNames {
    /// The former names, by the current ones.
    let formerNames: [String: String]

    /// - Parameter names: The current names with the former names, the oldest first.
    init(_ names: [(name: String, formerNames: [String])]) {
        let current = Set(names.map(\.name))
        var formerNames: [String: String] = [:]
        for (name, former) in names {
            formerNames[name] = former.first(where: current.contains).flatMap { $0 == name ? nil : $0 }
        }
        self.formerNames = formerNames
    }

    /// Returns the end of the line of a property.
    func suffix(of name: String) -> String {
        formerNames[name].map { " renamed from \($0)" } ?? ""
    }
}

extension EntityDescription {
    var canonicalText: String {
        var text = "entity \(name)\n"
        if let parent { text += "parent \(parent)\n" }
        if isAbstract { text += "abstract\n" }
        let reused = ReusedNames(
            attributes.map { ($0.name, $0.part?.formerNames ?? [$0.renamedFrom].compactMap(\.self)) }
                + relationships.map { ($0.name, [$0.renamedFrom].compactMap(\.self)) })
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            let need = attribute.isOptional ? "optional" : "required"
            let type = attribute.elementType.map { "list of \($0.rawValue)" } ?? attribute.type.rawValue
            text += "attribute \(attribute.name) \(type) \(need)"
            if let derivation = attribute.derivationText { text += " derived from \(derivation)" }
            text += reused.suffix(of: attribute.name) + "\n"
        }
        for end in relationships.sorted(by: { $0.name < $1.name }) {
            let kind = end.isToMany ? "toMany" : "toOne"
            let need = end.isOptional ? "optional" : "required"
            text += "relationship \(end.name) \(kind) \(end.destination).\(end.inverse) \(need)"
            text += reused.suffix(of: end.name) + "\n"
        }
        for names in uniqueness.map({ $0.sorted().joined(separator: ",") }).sorted() {
            text += "unique \(names)\n"
        }
        return text
    }
}
