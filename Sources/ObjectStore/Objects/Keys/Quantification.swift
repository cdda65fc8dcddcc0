/// The quantifiers of a key that is in to-many relationships: `$0.authors.none.books.any.title`.
///
/// A key with quantifiers begins at an element, which a variable represents. A comparison with the key becomes a
/// condition of the elements of the innermost level, which becomes a condition of those of the next level.
struct Quantification {
    /// The elements of one collection and the quantifier for them.
    struct Level {
        /// The path to the collection. In an inner level, it begins at the variable of the level around it.
        var collection: FetchPredicate.Path
        var quantifier: FetchPredicate.Quantifier
        /// The variable that represents an element.
        var variable: String
    }

    /// The levels, the outermost one first.
    private(set) var levels: [Level] = []

    /// No quantifier: there is one value.
    static let single = Quantification()

    var isSingle: Bool { levels.isEmpty }

    /// Adds a quantifier for the elements of a collection. Returns the path of an element.
    ///
    /// ANY of ANY is one ANY of a longer path, and the same goes for ALL of ALL, NONE of ANY and ALL of NONE.
    mutating func add(
        _ quantifier: FetchPredicate.Quantifier, of collection: FetchPredicate.Path
    ) -> FetchPredicate.Path {
        let variable = ElementVariable.new()
        if let last = levels.last, collection.root == .variable(last.variable),
            let joined = Self.joined(last.quantifier, around: quantifier)
        {
            levels[levels.count - 1] = Level(
                collection: last.collection.appending(collection.keys), quantifier: joined, variable: variable
            )
        } else {
            levels.append(Level(collection: collection, quantifier: quantifier, variable: variable))
        }
        return FetchPredicate.Path(root: .variable(variable))
    }

    private static func joined(
        _ outer: FetchPredicate.Quantifier, around inner: FetchPredicate.Quantifier
    ) -> FetchPredicate.Quantifier? {
        switch (outer, inner) {
        case (.any, .any): .any
        case (.all, .all): .all
        case (.none, .any), (.all, .none): FetchPredicate.Quantifier.none
        default: nil
        }
    }

    /// Returns the predicate that the elements satisfy a condition.
    func condition(_ condition: FetchPredicate.Node) -> FetchPredicate {
        isSingle ? FetchPredicate(condition) : complete(condition)
    }

    /// Returns the predicate that the elements satisfy a condition that has no form with ANY, ALL or NONE.
    func elementCondition(_ condition: FetchPredicate.Node) -> FetchPredicate {
        var outer = self
        guard let last = outer.levels.popLast() else { return FetchPredicate(condition) }
        return outer.complete(last.subquery(of: condition))
    }

    private func complete(_ condition: FetchPredicate.Node) -> FetchPredicate {
        let node = levels.reversed().reduce(condition) { $1.condition(of: $0) }
        return FetchPredicate(ElementVariable.named(node))
    }

    /// Returns the predicate that a collection contains a value.
    ///
    /// The collection of ANY and NONE is all that its path reaches: `authors.books CONTAINS 3`.
    func contains(
        _ collection: FetchPredicate.Path, _ value: FetchPredicate.Expression
    ) -> FetchPredicate {
        guard let last = levels.last, collection.root == .variable(last.variable), last.quantifier != .all
        else {
            return elementCondition(.comparison(.init(.path(collection), .contains, value)))
        }
        var outer = self
        outer.levels.removeLast()
        let all = last.collection.appending(collection.keys)
        let node = FetchPredicate.Node.comparison(.init(.path(all), .contains, value))
        return outer.elementCondition(last.quantifier == .any ? node : .not(node))
    }

    /// Returns the quantifiers of two operands. Those of the second operand are independent, so their variables are new.
    func joined(
        _ other: Quantification, of operand: FetchPredicate.Expression
    ) -> (Quantification, FetchPredicate.Expression) {
        guard !other.isSingle else { return (self, operand) }
        var names: [String: String] = [:]
        for level in other.levels { names[level.variable] = ElementVariable.new() }
        var renaming = VariableRenaming(names: names)
        var result = self
        for var level in other.levels {
            level.collection = renaming.rewrite(level.collection)
            level.variable = names[level.variable] ?? level.variable
            result.levels.append(level)
        }
        return (result, renaming.rewrite(operand))
    }

    /// Returns the path from the object that the predicate tests, without the quantifiers.
    func path(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        levels.reversed().reduce(path) { path, level in
            path.root == .variable(level.variable) ? level.collection.appending(path.keys) : path
        }
    }
}

extension Quantification.Level {
    /// Returns the condition that the elements satisfy a condition, as a comparison with a quantifier if that is possible.
    fileprivate func condition(of element: FetchPredicate.Node) -> FetchPredicate.Node {
        guard case .comparison(var comparison) = element, comparison.quantifier == .single,
            case .path(let path) = comparison.left, path.root == .variable(variable),
            !ElementVariable.contains(variable, in: comparison.right)
        else { return subquery(of: element) }
        comparison.left = .path(collection.appending(path.keys))
        comparison.quantifier = quantifier
        return .comparison(comparison)
    }

    /// Returns the condition that the elements satisfy a condition, as a number of elements.
    fileprivate func subquery(of element: FetchPredicate.Node) -> FetchPredicate.Node {
        let elements = FetchPredicate.Path(
            root: .subquery(
                FetchPredicate.Subquery(
                    collection, variable: variable, where: quantifier == .all ? .not(element) : element)))
        return .comparison(
            FetchPredicate.Comparison(
                .aggregate(FetchPredicate.Aggregate(.count, of: elements)),
                quantifier == .any ? .greater : .equal, .value(.integer(0))))
    }
}

extension FetchPredicate.Path {
    fileprivate func appending(_ keys: [String]) -> Self {
        FetchPredicate.Path(root: root, keys: self.keys + keys)
    }
}
