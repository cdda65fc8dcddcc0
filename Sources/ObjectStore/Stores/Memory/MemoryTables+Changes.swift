extension MemoryTables {
    /// Writes what a context asks for.
    func apply(_ changes: StoreChanges) throws(StoreError) {
        for row in changes.rows {
            try apply(row)
        }
        for pair in changes.pairs {
            writePair(pair.ownerID, pair.otherID, link: pair.link, isThere: pair.isAdded)
        }
    }

    private func apply(_ change: StoreChanges.Row) throws(StoreError) {
        let old = row(change.id, of: change.entity)
        let name = ObjectID(entity: change.entity.name, id: change.id)
        switch (change.kind, old) {
        case (.insert, nil):
            write(change.id, change.values.normalized, of: change.entity)
        case (.insert, _?):
            throw StoreError(.other, "\(name) is in the store already; use another id")
        case (.update, let old?):
            // The values of a context go on changing, so nothing of it is kept.
            let new = RowValues.make(count: old.count) { row in
                for column in 0..<old.count {
                    row.append(change.isChanged(column) ? change.values[column].normalized : old[column])
                }
            }
            write(change.id, new, of: change.entity)
        case (.update, nil):
            throw StoreError(.other, "\(name) is not in the store any more; refresh it")
        case (.delete, _?):
            write(change.id, nil, of: change.entity)
        case (.delete, nil):
            break
        }
    }

    /// Refuses what could not be read back, in the rows that the open transaction has written.
    ///
    /// Not earlier: a context writes what it has so far when its fetches have to see it.
    func requireSoundRows() throws(StoreError) {
        if let reference = danglingReference() {
            throw StoreError(
                .danglingReference,
                "\(reference) refers to an object that is not there; delete or change it first")
        }
        for (position, id) in writtenRows {
            let entity = model.entities[position]
            guard let row = row(id, of: entity) else { continue }
            for (column, description) in entity.columns.enumerated() {
                let value = row[column]
                guard value.isNull ? description.isOptional : description.type.admits(value) else {
                    let name = "\(ObjectID(entity: entity.name, id: id)).\(description.name)"
                    throw StoreError(
                        .other, "\(name) is \(value.typeName), which the model does not allow; correct it")
                }
            }
        }
    }
}

extension AttributeValue {
    /// The value as every store keeps it: text in Unicode's form NFC, in which equal texts are equal scalars.
    public var normalized: AttributeValue {
        switch self {
        case .string(let text): .string(text.normalized)
        case .uri(let text): .uri(text.normalized)
        default: self
        }
    }
}

extension RowValues {
    /// A copy as a store keeps it.
    var normalized: RowValues {
        RowValues.make(count: count) { row in
            for column in 0..<count { row.append(self[column].normalized) }
        }
    }
}
