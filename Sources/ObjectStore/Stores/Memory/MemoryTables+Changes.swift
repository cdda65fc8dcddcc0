extension MemoryTables {
    /// Applies the changes of a context.
    ///
    /// - Throws: a `StoreError` if an inserted object exists already, or if an updated one does not exist.
    func apply(_ changes: StoreChanges) throws(StoreError) {
        for row in changes.rows {
            try apply(row)
        }
        for pair in changes.pairs {
            writePair(owner: pair.ownerID, other: pair.otherID, link: pair.link, isThere: pair.isAdded)
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
            // The context may still change its values, so the store keeps a copy.
            let new = RowValues.make(count: old.count) { row in
                for column in 0..<old.count {
                    row.append(change.isChanged(column) ? change.values[column].normalized : old[column])
                }
            }
            write(change.id, new, of: change.entity)
        case (.update, nil):
            throw StoreError(.other, "\(name) is no longer in the store; refresh it")
        case (.delete, _?):
            write(change.id, nil, of: change.entity)
        case (.delete, nil):
            break
        }
    }

    /// Throws if a reference is dangling, or if the open transaction has written a value that the model does not allow.
    ///
    /// A context also writes incomplete changes for its fetches to see, so this is checked at the commit only.
    func requireSoundRows() throws(StoreError) {
        if let reference = danglingReference() {
            throw StoreError(
                .danglingReference,
                "\(reference) refers to an object that does not exist; delete or change it first")
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
    /// The value as every store keeps it. Text is in Unicode normalization form NFC, in which equal strings
    /// have equal scalars. Zero has no sign, which a database does not keep.
    public var normalized: AttributeValue {
        switch self {
        case .string(let text): .string(text.normalized)
        case .uri(let text): .uri(text.normalized)
        case .double(let number) where number == 0: .double(0)
        default: self
        }
    }
}

extension RowValues {
    /// A copy of the row with the values as every store keeps them.
    var normalized: RowValues {
        RowValues.make(count: count) { row in
            for column in 0..<count { row.append(self[column].normalized) }
        }
    }
}
