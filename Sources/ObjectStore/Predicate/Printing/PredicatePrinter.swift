/// A printer that writes a tree as a format, with only the parentheses that it needs.
struct PredicatePrinter {
    private(set) var text = ""

    mutating func write(_ words: String) {
        text += words
    }

    /// The precedence of an operator. An operand of lower precedence needs parentheses.
    private enum Binding: Int {
        case sum, product, minus, power, operand
    }

    // MARK: - Conditions

    mutating func print(_ node: FetchPredicate.Node) {
        switch node {
        case .constant(let holds): text += holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): print(comparison)
        case .and(let nodes): print(nodes, joinedBy: " AND ", ofNone: true)
        case .or(let nodes): print(nodes, joinedBy: " OR ", ofNone: false)
        case .not(let operand):
            text += "NOT "
            parenthesize(operand)
        }
    }

    private mutating func print(_ nodes: [FetchPredicate.Node], joinedBy word: String, ofNone: Bool) {
        guard let first = nodes.first else { return print(.constant(ofNone)) }
        guard nodes.count > 1 else { return print(first) }
        for (position, node) in nodes.enumerated() {
            if position > 0 { text += word }
            parenthesize(node)
        }
    }

    private mutating func parenthesize(_ node: FetchPredicate.Node) {
        switch node {
        case .and(let nodes) where nodes.count == 1, .or(let nodes) where nodes.count == 1:
            parenthesize(nodes[0])
        case .and(let nodes) where nodes.count > 1, .or(let nodes) where nodes.count > 1:
            text += "("
            print(node)
            text += ")"
        default:
            print(node)
        }
    }

    private mutating func print(_ comparison: FetchPredicate.Comparison) {
        switch comparison.quantifier {
        case .single: break
        case .any: text += "ANY "
        case .all: text += "ALL "
        case .none: text += "NONE "
        }
        print(comparison.left)
        text += " " + comparison.comparator.spelling
        let letters =
            (comparison.options.contains(.caseInsensitive) ? "c" : "")
            + (comparison.options.contains(.diacriticInsensitive) ? "d" : "")
        if !letters.isEmpty, comparison.comparator != .containsWords { text += "[\(letters)]" }
        text += " "
        print(comparison.right)
    }

    // MARK: - Values

    mutating func print(_ expression: FetchPredicate.Expression) {
        switch expression {
        case .constant(let constant): print(constant.value)
        case .path(let path): print(path, operation: nil)
        case .aggregate(let aggregate): print(aggregate)
        case .list(let elements): print(elements, between: "{", "}")
        case .arithmetic(let sign, let left, let right): print(sign, left, right)
        case .negation(let operand):
            text += "-"
            // Without the parentheses, the parser would read the sign as part of the number.
            if case .constant(let constant) = operand, !constant.value.isNegativeNumber {
                parenthesize(operand)
            } else {
                print(operand, within: .minus)
            }
        case .function(let function, let operands):
            text += function.rawValue
            print(operands, between: "(", ")")
        case .cast(let operand, let type):
            text += "CAST("
            // Without the parentheses, the parser would replace the cast of a constant with its result.
            if case .constant = operand { parenthesize(operand) } else { print(operand) }
            text += ", \"\(type.rawValue)\")"
        case .conditional(let test, let first, let second):
            text += "TERNARY("
            print(test)
            text += ", "
            print(first)
            text += ", "
            print(second)
            text += ")"
        }
    }

    private mutating func print(
        _ elements: [FetchPredicate.Expression], between opening: String, _ closing: String
    ) {
        text += opening
        for (position, element) in elements.enumerated() {
            if position > 0 { text += ", " }
            print(element)
        }
        text += closing
    }

    private mutating func print(
        _ sign: FetchPredicate.ArithmeticOperator, _ left: FetchPredicate.Expression,
        _ right: FetchPredicate.Expression
    ) {
        switch sign {
        case .add, .subtract:
            print(left, within: .sum)
            text += sign == .add ? " + " : " - "
            print(right, within: .product)
        case .multiply, .divide:
            print(left, within: .product)
            text += sign == .multiply ? " * " : " / "
            print(right, within: .minus)
        case .power:
            print(left, within: .operand)
            text += " ** "
            print(right, within: .minus)
        }
    }

    private mutating func print(_ expression: FetchPredicate.Expression, within binding: Binding) {
        if self.binding(of: expression).rawValue < binding.rawValue {
            parenthesize(expression)
        } else {
            print(expression)
        }
    }

    private mutating func parenthesize(_ expression: FetchPredicate.Expression) {
        text += "("
        print(expression)
        text += ")"
    }

    private func binding(of expression: FetchPredicate.Expression) -> Binding {
        switch expression {
        case .arithmetic(.add, _, _), .arithmetic(.subtract, _, _): .sum
        case .arithmetic(.multiply, _, _), .arithmetic(.divide, _, _): .product
        case .arithmetic(.power, _, _): .power
        case .negation: .minus
        case .constant(let constant): constant.value.isNegativeNumber ? .minus : .operand
        default: .operand
        }
    }

    // MARK: - Paths

    private mutating func print(_ aggregate: FetchPredicate.Aggregate) {
        if aggregate.isDistinct {
            print(aggregate.path, operation: "distinctUnionOfObjects")
            text += ".@" + aggregate.operation.rawValue
        } else {
            print(aggregate.path, operation: aggregate.operation.rawValue)
        }
    }

    /// Writes a path. An operator is before the last key, as in key-value coding, but `@count` is at the end.
    private mutating func print(_ path: FetchPredicate.Path, operation: String?) {
        var parts: [String] = []
        switch path.root {
        case .object: if path.keys.isEmpty, operation == nil { parts.append("SELF") }
        case .variable(let name): parts.append("$" + name)
        case .subquery(let subquery): parts.append(format(of: subquery))
        }
        parts += path.keys.map { PredicateKeyword(spelledBy: $0.utf8) == nil ? $0 : "#" + $0 }
        if let operation {
            let isLast = operation == "count" || path.keys.isEmpty
            parts.insert("@" + operation, at: isLast ? parts.count : parts.count - 1)
        }
        text += parts[0]
        for part in parts.dropFirst() { text += part.hasPrefix("[") ? part : "." + part }
    }

    private func format(of subquery: FetchPredicate.Subquery) -> String {
        var inner = PredicatePrinter()
        inner.print(subquery.collection, operation: nil)
        inner.text += ", $" + subquery.variable + ", "
        inner.print(subquery.condition)
        return "SUBQUERY(" + inner.text + ")"
    }
}
