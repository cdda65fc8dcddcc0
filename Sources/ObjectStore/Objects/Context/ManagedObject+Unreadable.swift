// A value that the type of its property cannot hold is data: another program has saved a case that this one does not have,
// or the type has changed since. A required value that was never set is a mistake of the program.

extension ManagedObject {
    /// Returns the value of a property whose column has no value for its type: `nil`, or the default of the attribute.
    /// The next save reports the value. Ends the program if there is neither, or if a required value is not set.
    @usableFromInline
    final func readable<Value: AttributeValueConvertible>(_ type: Value.Type, inColumn column: Int) -> Value {
        let problem = UnreadableValue.problem(of: values[column])
        guard !values[column].isNull, let value = UnreadableValue.replacement(type, entity.defaults[column])
        else {
            // The object may be in place of one that could not be read.
            let failure = registry.context?.failure.map { "; a read failed before: \($0)" } ?? ""
            fatalError("\(objectID).\(entity.columns[column].name) \(problem)\(failure)")
        }
        recordUnreadableValue(inColumn: column)
        return value
    }

    /// Lets the next save report that the type of a property or a part cannot hold its value.
    final func recordUnreadableValue(inColumn column: Int) {
        let problem = UnreadableValue.problem(of: values[column])
        registry.context?.recordFailure(
            StoreError(
                .contextFailed,
                "\(objectID).\(entity.columns[column].name) \(problem); roll the context back and begin again"
            ))
    }
}

/// A stored value that the type of its property cannot hold.
enum UnreadableValue {
    /// Returns the problem, as the rest of a sentence that begins with the property.
    static func problem(of stored: AttributeValue) -> String {
        switch stored {
        case .null: "is required and has no value yet; set it before it is read"
        case .double(let number) where number.isNaN:
            "was set to a value that cannot be encoded; set another one"
        default:
            "has a value that its type in Swift cannot hold; add the case, or write an init?(attributeValue:)"
        }
    }

    /// Returns `nil` if the type of the property has it, or else the default, or `nil` if the property has neither.
    static func replacement<Value: AttributeValueConvertible>(
        _ type: Value.Type, _ standard: AttributeValue
    ) -> Value? {
        if type.admitsNull { return type.init(attributeValue: .null) }
        return standard.isNull ? nil : type.init(attributeValue: standard)
    }
}
