/// The columns of a composite attribute in an entity.
final class CompositeColumns<Composed: CompositeAttribute> {
    private let layout: CompositeLayout<Composed>
    /// The columns, in the order of the attributes in the layout.
    private let columns: [Int]

    init(_ layout: CompositeLayout<Composed>, of name: String, in entity: Entity) {
        self.layout = layout
        columns = layout.leaves.map { leaf in
            guard let column = entity.column(named: "\(name).\(leaf.name)") else {
                preconditionFailure("\(entity.name) has no property \(name).\(leaf.name)")
            }
            return column
        }
    }

    /// Returns the value of a property.
    ///
    /// - Parameters:
    ///   - stored: Returns the value in a column.
    ///   - reportUnreadable: Called with the column of each value that its part cannot hold. The part has its initial value
    ///     instead.
    func value<Value: CompositeValue>(
        _ stored: (Int) -> AttributeValue, reportUnreadable: (Int) -> Void
    ) -> Value where Value.Composed == Composed {
        layout.value {
            stored(columns[$0])
        } reportUnreadable: {
            reportUnreadable(columns[$0])
        }
    }

    /// Reports the values of the columns.
    func forEach<Value: CompositeValue>(of value: Value, _ body: (Int, AttributeValue) -> Void)
    where Value.Composed == Composed {
        layout.forEach(of: value) { body(columns[$0], $1) }
    }
}

extension ManagedObject {
    /// Returns the value of a composite attribute, by its position in the registry.
    @usableFromInline
    final func compositeValue<Value: CompositeValue>(at position: Int) -> Value {
        let columns = registry.composite(at: position, CompositeColumns<Value.Composed>.self)
        return columns.value {
            values[$0]
        } reportUnreadable: {
            recordUnreadableValue(inColumn: $0)
        }
    }

    /// Sets the parts of a composite attribute that differ from those of a value.
    @usableFromInline
    final func setCompositeValue<Value: CompositeValue>(_ value: Value, at position: Int) {
        let columns = registry.composite(at: position, CompositeColumns<Value.Composed>.self)
        columns.forEach(of: value) { setValue($1, inColumn: $0) }
    }
}

extension [AttributeDescription] {
    /// Sets the defaults of the attributes, with those of composite ones, in their order.
    mutating func setDefaults(_ values: [AttributeValue]) {
        var rest = values[...]
        setDefaults(&rest)
    }

    private mutating func setDefaults(_ values: inout ArraySlice<AttributeValue>) {
        for index in indices {
            if self[index].parts != nil {
                self[index].parts?.setDefaults(&values)
            } else if let value = values.popFirst() {
                self[index].defaultValue = value
            }
        }
    }
}
