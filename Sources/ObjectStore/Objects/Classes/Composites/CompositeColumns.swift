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
    /// - Parameter stored: Returns the value in a column.
    /// - Throws: An ``UnreadablePart`` with the column of a value that its type cannot hold.
    func value<Value: CompositeValue>(_ stored: (Int) -> AttributeValue) throws(UnreadablePart) -> Value
    where Value.Composed == Composed {
        do throws(UnreadablePart) {
            return try layout.value { stored(columns[$0]) }
        } catch {
            throw UnreadablePart(position: columns[error.position])
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
        do throws(UnreadablePart) {
            return try columns.value { values[$0] }
        } catch {
            let name = entity.columns[error.position].name
            fatalError("\(objectID).\(name) \(UnreadableValue.problem(of: values[error.position]))")
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
