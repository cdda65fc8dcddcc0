/// The limits of the values of a column, if one rule has them and most values can be checked without evaluating it.
enum ValueLimit: Sendable {
    /// No limits, or more than one comparison can check.
    case other
    /// The limits of an integer.
    case integers(Int64, Int64)
    /// The least and the largest number of characters of a text.
    case characters(Int, Int)

    init(of column: Entity.Column) {
        self = .other
        guard column.elementType == nil, column.patterns.isEmpty else { return }
        let rules = column.rules.filter { rule in
            switch rule {
            case .required, .unique: false
            case .length, .range, .pattern: true
            }
        }
        guard rules.count == 1 else { return }
        switch rules[0] {
        case .range(.integer(let lower), .integer(let upper)): self = .integers(lower, upper)
        case .length(let minimum, let maximum): self = .characters(minimum, maximum ?? .max)
        default: break
        }
    }

    /// Whether a value satisfies the rules of the column, as far as one comparison shows.
    @inline(__always)
    func surelyAdmits(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.integers(let lower, let upper), .integer(let number)): lower <= number && number <= upper
        case (.characters(let minimum, let maximum), .string(let text)):
            ValidationRule.surelyFits(text, minimum: minimum, maximum: maximum)
        default: false
        }
    }
}
