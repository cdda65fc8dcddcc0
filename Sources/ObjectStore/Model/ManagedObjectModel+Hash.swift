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
    ///
    /// If properties of an entity exchange their names, their former names decide which values they have. So their lines end with
    /// `renamed from` and the former name, and entities that exchange their names have a line `entity A renamed from B` at the end.
    public var canonicalText: String {
        Self.canonicalText(of: descriptions)
    }

    static func canonicalText(of entities: [EntityDescription]) -> String {
        let text = entities.sorted { $0.name < $1.name }.map(\.canonicalText).joined()
        let exchanged = ExchangedNames(entities.map { ($0.name, $0.renamedFrom) })
        return text
            + exchanged.formerNames.sorted { $0.key < $1.key }
            .map { "entity \($0.key) renamed from \($0.value)\n" }.joined()
    }
}

/// The names that entities, or properties of an entity, got from one another, so that the set of names stays the same.
///
/// Two versions of a model may differ in nothing else.
private struct ExchangedNames {
    /// The former names, by the current ones.
    var formerNames: [String: String] = [:]

    init(_ names: [(name: String, renamedFrom: String?)]) {
        var renamed: [String: String] = [:]
        for (name, former) in names where former != name { renamed[name] = former }
        for (name, former) in renamed {
            var next: String? = former
            for _ in renamed where next != name { next = next.flatMap { renamed[$0] } }
            if next == name { formerNames[name] = former }
        }
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
        let exchanged = ExchangedNames(
            attributes.map { ($0.name, $0.renamedFrom) } + relationships.map { ($0.name, $0.renamedFrom) })
        for attribute in attributes.sorted(by: { $0.name < $1.name }) {
            let need = attribute.isOptional ? "optional" : "required"
            let type = attribute.elementType.map { "list of \($0.rawValue)" } ?? attribute.type.rawValue
            text += "attribute \(attribute.name) \(type) \(need)"
            if let derivation = attribute.derivationText { text += " derived from \(derivation)" }
            text += exchanged.suffix(of: attribute.name) + "\n"
        }
        for end in relationships.sorted(by: { $0.name < $1.name }) {
            let kind = end.isToMany ? "toMany" : "toOne"
            let need = end.isOptional ? "optional" : "required"
            text += "relationship \(end.name) \(kind) \(end.destination).\(end.inverse) \(need)"
            text += exchanged.suffix(of: end.name) + "\n"
        }
        for names in uniqueness.map({ $0.sorted().joined(separator: ",") }).sorted() {
            text += "unique \(names)\n"
        }
        return text
    }
}
