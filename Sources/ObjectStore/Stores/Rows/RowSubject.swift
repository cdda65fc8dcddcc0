/// A row for which a predicate is evaluated.
struct RowSubject<Source: RowSource>: PredicateSubject {
    let source: Source
    let model: ManagedObjectModel
    let entity: Entity
    let id: Int64
    let row: RowValues

    var predicateIdentity: Int64 { id }

    func predicateValue(at column: Int) -> AttributeValue {
        row[column]
    }

    func predicateTarget(at column: Int) throws -> (any PredicateSubject)? {
        guard case .integer(let id) = row[column] else { return nil }
        return try subject(id, model.destination(of: entity.toOne(at: column)))
    }

    func predicateMembers(at position: Int) throws -> [any PredicateSubject] {
        let relationship = entity.toMany[position]
        let destination = model.destination(of: relationship)
        if let link = relationship.link {
            return try source.linkedIDs(link, of: id).compactMap { try subject($0, destination) }
        }
        guard case .toOne(let column) = relationship.inverse else { return [] }
        if let ids = try source.ids(of: destination, at: column, equal: .integer(id), options: []) {
            return try ids.compactMap { try subject($0, destination) }
        }
        var members: [any PredicateSubject] = []
        try source.forEachRow(of: destination) { id, row in
            if row[column] == .integer(self.id) {
                members.append(
                    RowSubject(source: source, model: model, entity: destination, id: id, row: row))
            }
            return true
        }
        return members
    }

    /// Returns the value at the end of a key path. If a reference on the path leads nowhere, the value is
    /// null, or 0 if the key is a count, or an empty list.
    func value(of key: FetchKey) throws -> AttributeValue {
        var id = id
        var row = row
        for hop in key.hops {
            guard case .integer(let next) = row[hop.column],
                let target = try source.row(next, of: hop.destination)
            else {
                guard key.collection != nil else { return .null }
                return key.listed == nil ? .integer(0) : .string("[]")
            }
            (id, row) = (next, target)
        }
        if let relationship = key.collection {
            let end = RowSubject(source: source, model: model, entity: key.entity, id: id, row: row)
            let members = try end.predicateMembers(at: relationship)
            guard let listed = key.listed else { return .integer(Int64(members.count)) }
            let values = members.compactMap { member in
                let value = listed.column.map(member.predicateValue) ?? .integer(member.predicateIdentity)
                return ComparisonKey(value).map { (key: $0, value: value) }
            }
            let sorted = values.sorted { $0.key < $1.key }.map(\.value)
            guard let text = ListValue.text(sorted, admitsNUL: true) else {
                throw FetchError(.unsupported, "\(key.path) has values that a list cannot hold")
            }
            return .string(text)
        }
        return key.column.map { row[$0] } ?? .integer(id)
    }

    private func subject(_ id: Int64, _ entity: Entity) throws -> RowSubject? {
        try source.row(id, of: entity).map {
            RowSubject(source: source, model: model, entity: entity, id: id, row: $0)
        }
    }
}
