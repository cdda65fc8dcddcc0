import ObjectStore

/// A model with entities, attributes and relationships of every kind, in varying numbers.
enum GeneratedModel {
    static func entities(_ source: inout ChoiceSource) -> [EntityDescription] {
        let names = Array(["Task", "Group", "Tag"].prefix(1 + source.number(below: 3)))
        var entities = names.map { name in
            EntityDescription(
                name, attributes: attributes(&source),
                indexes: name == "Tag" ? [] : [.search("string1")])
        }
        for link in 0..<(1 + source.number(below: 4)) {
            relate(
                &entities, from: source.number(below: names.count), to: source.number(below: names.count),
                link, &source)
        }
        return entities
    }

    /// One attribute of every type, and more of some types.
    private static func attributes(_ source: inout ChoiceSource) -> [AttributeDescription] {
        var attributes = AttributeType.allCases.map { AttributeDescription("\($0.rawValue)1", $0) }
        for type in [AttributeType.string, .integer64, .double, .date, .boolean] where source.chance(1, in: 2)
        {
            attributes.append(AttributeDescription("\(type.rawValue)2", type))
        }
        for type in AttributeType.allCases where type != .binary && source.chance(1, in: 3) {
            attributes.append(.list("list_\(type.rawValue)", of: type))
        }
        if source.chance(1, in: 2) { attributes.append(composite(&source)) }
        return attributes
    }

    /// A composite attribute whose parts have names that are keywords, functions and names of other attributes.
    private static func composite(_ source: inout ChoiceSource) -> AttributeDescription {
        let types = AttributeType.allCases.filter { _ in source.chance(1, in: 2) }
        let names = ["length", "in", "id", "self", "string1"]
        let parts = zip(names, types).map { AttributeDescription($0, $1) }
        let inner = AttributeDescription.composite(
            "inner", [.string("string1"), .list("list", of: .integer64), .date("any")])
        return .composite("part", [.integer64("first")] + parts + [inner])
    }

    private static func relate(
        _ entities: inout [EntityDescription], from first: Int, to second: Int, _ number: Int,
        _ source: inout ChoiceSource
    ) {
        let (near, far) = ("near\(number)", "far\(number)")
        let isToMany = (near: source.chance(1, in: 2), far: source.chance(1, in: 2))
        let isOrdered = isToMany.far && !isToMany.near
        if isOrdered { entities[second].attributes.append(.integer64("place\(number)")) }
        var forward = relationship(far, isToMany.far, to: entities[second].name, inverse: near)
        forward.orderedBy = isOrdered ? "place\(number)" : nil
        entities[first].relationships.append(forward)
        entities[second].relationships.append(
            relationship(near, isToMany.near, to: entities[first].name, inverse: far))
    }

    private static func relationship(
        _ name: String, _ isToMany: Bool, to destination: String, inverse: String
    ) -> RelationshipDescription {
        isToMany
            ? .toMany(name, destination: destination, inverse: inverse)
            : .toOne(name, destination: destination, inverse: inverse)
    }
}
