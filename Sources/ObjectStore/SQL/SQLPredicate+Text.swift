extension SQLPredicate {
    /// Translates an operator on text.
    ///
    /// If no options are set and the pattern is a constant that begins with plain text, that beginning
    /// becomes a range, which can use an index.
    ///
    ///     name BEGINSWITH "pay"     t0."name" >= 'pay' AND t0."name" < 'paz'
    ///     name LIKE "pay*"          t0."name" >= 'pay' AND t0."name" < 'paz'
    ///     name LIKE "p*y"           t0."name" >= 'p' AND t0."name" < 'q' AND is_like(t0."name", 'p*y', 0)
    ///     name CONTAINS "pay"       instr(t0."name", 'pay') > 0
    ///     name MATCHES %@           matches(t0."name", ?, 0)
    ///
    /// A search uses the search index of the attribute, if there is one.
    ///
    ///     title CONTAINS[search] %@  t0."id" IN (SELECT rowid FROM "Book search (title)" WHERE "Book search (title)" MATCH ?)
    func text(_ operand: ResolvedValue, _ test: TextTest) throws -> SQLFragment {
        try requireQuery()
        guard test.options.isEmpty, case .constant(_, let source) = test.pattern else {
            return try call(operand, test)
        }
        switch test.prepared {
        case .part(let part, .beginsWith, _):
            return try range(operand, beginning: String(decoding: part.bytes, as: UTF8.self), source: source)
                ?? SQLFragment("0").dependent(on: source)
        case .part(let part, .contains, _) where !part.isEmpty:
            let part = constant(
                .string(String(decoding: part.bytes, as: UTF8.self)),
                source.after(.folded([])).after(.notEmpty))
            return try "instr(" + value(operand) + ", " + part + ") > 0"
        case .like(let pattern, _):
            return try like(operand, pattern: pattern, test: test, source: source).dependent(on: source)
        case .words(let search):
            if search.isEmpty { return SQLFragment("0").dependent(on: source) }
            return try self.search(operand, search, source) ?? call(operand, test).dependent(on: source)
        default:
            return try call(operand, test).dependent(on: source)
        }
    }

    /// Returns a search that uses the search index of an attribute, or `nil` if there is none.
    private func search(
        _ operand: ResolvedValue, _ search: WordSearch, _ source: ConstantSource
    ) throws -> SQLFragment? {
        guard case .column(let path, let column) = operand, let id = identity(ofTable: path),
            let index = path.entity.description.searchIndex(of: path.entity.columns[column].name)
        else { return nil }
        let table = SQLFragment.quoted(SearchTable.name(of: index, of: path.entity.name))
        let name = path.entity.columns[column].name
        let expression = constant(
            .string(search.expression(forColumn: name)), source.after(.searched(column: name)))
        return "\(id) IN (SELECT rowid FROM \(table) WHERE \(table) MATCH " + expression + ")"
    }

    private func like(
        _ operand: ResolvedValue, pattern: LikePattern, test: TextTest, source: ConstantSource
    ) throws -> SQLFragment {
        let beginning = pattern.literal
        if beginning.isWhole {
            return try value(operand) + " = " + constant(.string(beginning.text), source)
        }
        guard let range = try range(operand, beginning: beginning.text, source: source) else {
            return try call(operand, test)
        }
        return beginning.isPrefix ? range : try range + " AND " + call(operand, test)
    }

    private func call(_ operand: ResolvedValue, _ test: TextTest) throws -> SQLFragment {
        let call =
            try SQLFunctions.name(of: test.comparator) + "(" + value(operand) + ", " + value(test.pattern)
            + ", \(test.options.rawValue))"
        // Another regular expression may be malformed, which must be reported before the statement runs.
        guard test.comparator == .matches, case .constant(_, let source) = test.pattern else { return call }
        return call.dependent(on: source)
    }

    /// Returns the range of texts with a prefix, from the prefix up to the next text without it, or `nil` if
    /// the prefix is empty.
    private func range(
        _ operand: ResolvedValue, beginning: String, source: ConstantSource
    ) throws -> SQLFragment? {
        guard !beginning.isEmpty else { return nil }
        let column = try value(operand)
        let start = source.after(.folded([])).after(.notEmpty)
        let low = column + " >= " + constant(.string(beginning), start)
        guard let end = beginning.firstAfterPrefixed else { return low.dependent(on: source) }
        return low + " AND " + column + " < "
            + constant(.string(end), source.after(.folded([])).after(.afterPrefixed))
    }
}

extension SQLFragment {
    /// Returns the fragment marked as valid for this request only, unless the constant that determines its
    /// text is a literal. A literal is part of the request's shape. Another value may need another text.
    fileprivate func dependent(on source: ConstantSource) -> SQLFragment {
        source == .literal ? self : forOneRequest
    }
}
