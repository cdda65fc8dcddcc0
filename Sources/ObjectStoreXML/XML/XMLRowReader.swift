internal import ObjectStore

/// Converts the objects of an XML store to rows.
///
/// Only the to-one side of a one-to-many relationship is read. The to-many side is there for other programs.
/// A pair of a many-to-many relationship exists if it is on either side.
struct XMLRowReader {
    private let names: XMLNames
    private let numbering: XMLNumbering
    private let tables: MemoryTables

    init(_ names: XMLNames, _ numbering: XMLNumbering, into tables: MemoryTables) {
        self.names = names
        self.numbering = numbering
        self.tables = tables
    }

    /// Adds an object. Returns why it cannot be added, or `nil` if it was.
    mutating func add(_ object: XMLObject) -> String? {
        let name = "\(object.type) z\(object.number)"
        guard let entity = names.entity(object.type) else { return "the model has no entity \(object.type)" }
        guard let id = numbering.id(of: object.number, entity) else {
            return "z\(object.number) is not the id of an object of \(object.type)"
        }
        guard tables.row(id, of: entity) == nil else { return "\(name) occurs twice" }
        var values = [AttributeValue](repeating: .null, count: entity.columns.count)
        for attribute in object.attributes {
            guard case .attribute(let column)? = names.property(attribute.name, of: entity),
                XMLNames.reads(attribute.type, as: entity.columns[column].type)
            else { return "the model has no attribute \(attribute.name) of that type in \(object.type)" }
            guard let value = XMLValue.read(attribute.text, as: entity.columns[column].type) else {
                return "\(attribute.name) of \(name) is not a value of the type \(attribute.type)"
            }
            values[column] = value
        }
        for relationship in object.relationships {
            if let reason = read(relationship, of: id, entity: entity, values: &values) {
                return "\(reason) in \(name)"
            }
        }
        for (position, column) in entity.columns.enumerated() where !column.isOptional {
            if values[position].isNull { return "\(name) has no \(column.name), which the model requires" }
        }
        tables.write(id, values, of: entity)
        return nil
    }

    private func read(
        _ reference: XMLObject.Relationship, of id: Int64, entity: Entity, values: inout [AttributeValue]
    ) -> String? {
        guard let property = names.property(reference.name, of: entity),
            let relationship = entity.relationship(at: property)
        else { return "the model has no relationship \(reference.name)" }
        let destination = tables.model.destination(of: relationship)
        guard names.entity(reference.destination)?.index == destination.index else {
            return
                "\(reference.name) has the destination \(reference.destination), but \(destination.name) in the model"
        }
        var ids: [Int64] = []
        for number in reference.references {
            guard let id = numbering.id(of: number, destination) else {
                return "z\(number) is not the id of an object of \(destination.name)"
            }
            ids.append(id)
        }
        switch property {
        case .attribute: break
        case .toOne(let column):
            if ids.count > 1 { return "\(reference.name) refers to several objects" }
            values[column] = ids.first.map { .integer($0) } ?? .null
        case .toMany:
            guard let link = relationship.link else { break }
            for other in ids {
                let (owner, member) = link.isOwner ? (id, other) : (other, id)
                tables.writePair(owner: owner, other: member, link: link.index, isThere: true)
                guard link.isSymmetric else { continue }
                tables.writePair(owner: member, other: owner, link: link.index, isThere: true)
            }
        }
        return nil
    }
}
