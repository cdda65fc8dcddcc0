extension Entity {
    /// The composite attributes of an entity, whose parts are columns with dots in their names.
    struct Composites: Sendable {
        /// An optional composite attribute with parts that have a value whenever it is not nil.
        struct Optional: Sendable {
            let name: String
            /// The columns of all parts.
            let parts: [Int]
            /// The columns of the parts with a value.
            let required: [Int]
        }

        /// The names of the composite attributes, with those that are parts of others: `home`, `home.place`.
        let names: Set<String>
        let optional: [Optional]

        /// Collects the composite attributes, or returns `nil` if there are none.
        init?(columns: [Column], properties: [String: Property]) {
            var names: Set<String> = []
            var required: [String: [Int]] = [:]
            for (position, column) in columns.enumerated() {
                guard case .attribute(let attribute) = column.content, let part = attribute.part,
                    properties[column.name] != nil
                else { continue }
                let keys = column.name.split(separator: ".")
                for count in 1..<keys.count { names.insert(keys[..<count].joined(separator: ".")) }
                if let owner = part.requiredIn { required[owner, default: []].append(position) }
            }
            guard !names.isEmpty else { return nil }
            self.names = names
            optional = required.keys.sorted().map { name in
                Optional(
                    name: name,
                    parts: columns.indices.filter { columns[$0].name.hasPrefix(name + ".") },
                    required: required[name] ?? [])
            }
        }
    }

    /// Whether a name is that of a composite attribute.
    func isComposite(_ name: String) -> Bool { composites?.names.contains(name) == true }

    /// The names of the parts of a composite attribute, without composite ones, in the order of their columns.
    func parts(of composite: String) -> [String] {
        columns.map(\.name).filter { $0.hasPrefix(composite + ".") && properties[$0] != nil }
    }

    /// Returns the name of the property at the beginning of a path, with the keys of composite attributes before it:
    /// `home.city` for `["home", "city", "length"]`.
    func propertyName(at keys: ArraySlice<String>) -> (name: String, count: Int) {
        guard var name = keys.first else { return ("", 0) }
        // Most paths have no composite attribute.
        guard let composites, composites.names.contains(name) else { return (name, 1) }
        var count = 1
        for key in keys.dropFirst() {
            name += "." + key
            count += 1
            guard composites.names.contains(name) else { break }
        }
        return (name, count)
    }

    /// Returns the text for a message that a composite attribute has no value of its own, or `nil` for any other name.
    func adviceForComposite(_ name: String) -> String? {
        guard isComposite(name) else { return nil }
        return "is a composite attribute; name one of its parts: \(parts(of: name).joined(separator: ", "))"
    }
}
