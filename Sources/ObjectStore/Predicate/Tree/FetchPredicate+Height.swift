extension FetchPredicate {
    /// How many pieces of the tree stand inside each other at most. It is found without recursion, so
    /// that a tree of any height can be measured before anything descends into it.
    var height: Int {
        var tallest = 0
        var pending: [(Piece, Int)] = [(.node(root), 1)]
        while let (piece, level) = pending.popLast() {
            tallest = max(tallest, level)
            for child in piece.children { pending.append((child, level + 1)) }
        }
        return tallest
    }

    private enum Piece {
        case node(Node)
        case expression(Expression)

        var children: [Piece] {
            switch self {
            case .node(.constant): []
            case .node(.and(let nodes)), .node(.or(let nodes)): nodes.map { .node($0) }
            case .node(.not(let operand)): [.node(operand)]
            case .node(.comparison(let comparison)):
                [.expression(comparison.left), .expression(comparison.right)]
            case .expression(.constant): []
            case .expression(.path(let path)): Self.children(of: path)
            case .expression(.aggregate(let aggregate)): Self.children(of: aggregate.path)
            case .expression(.list(let elements)), .expression(.function(_, let elements)):
                elements.map { .expression($0) }
            case .expression(.arithmetic(_, let left, let right)): [.expression(left), .expression(right)]
            case .expression(.negation(let operand)), .expression(.cast(let operand, _)):
                [.expression(operand)]
            case .expression(.conditional(let test, let first, let second)):
                [.node(test), .expression(first), .expression(second)]
            }
        }

        private static func children(of path: Path) -> [Piece] {
            guard case .subquery(let subquery) = path.root else { return [] }
            return [.expression(.path(subquery.collection)), .node(subquery.condition)]
        }
    }
}
