extension FetchPredicate {
    /// The size of a tree.
    struct Measure {
        /// The number of levels.
        var height = 0
        /// The number of nodes. Constants in lists do not count.
        var size = 0
    }

    /// The size of the tree. It is computed without recursion, so that it is safe for a tree of any height.
    var measure: Measure {
        var measure = Measure()
        var pending: [(Part, Int)] = [(.node(root), 1)]
        while let (piece, level) = pending.popLast() {
            measure.height = max(measure.height, level)
            measure.size += 1
            for child in piece.children { pending.append((child, level + 1)) }
        }
        return measure
    }

    private enum Part {
        case node(Node)
        case expression(Expression)

        var children: [Part] {
            switch self {
            case .node(.constant): []
            case .node(.and(let nodes)), .node(.or(let nodes)): nodes.map { .node($0) }
            case .node(.not(let operand)): [.node(operand)]
            case .node(.comparison(let comparison)):
                [.expression(comparison.left), .expression(comparison.right)]
            case .expression(.constant): []
            case .expression(.path(let path)): Self.children(of: path)
            case .expression(.aggregate(let aggregate)): Self.children(of: aggregate.path)
            case .expression(.list(let elements)): elements.filter { !$0.isConstant }.map { .expression($0) }
            case .expression(.function(_, let operands)): operands.map { .expression($0) }
            case .expression(.arithmetic(_, let left, let right)): [.expression(left), .expression(right)]
            case .expression(.negation(let operand)), .expression(.cast(let operand, _)):
                [.expression(operand)]
            case .expression(.conditional(let test, let first, let second)):
                [.node(test), .expression(first), .expression(second)]
            }
        }

        private static func children(of path: Path) -> [Part] {
            guard case .subquery(let subquery) = path.root else { return [] }
            return [.expression(.path(subquery.collection)), .node(subquery.condition)]
        }
    }
}

extension FetchPredicate.Expression {
    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}
