extension SQLPredicate {
    /// An operator on text. Where the options overlook nothing, and the pattern is a constant that begins
    /// with plain text, that beginning is a range, which an index can serve.
    ///
    ///     name BEGINSWITH "pay"     t0."name" >= 'pay' AND t0."name" < 'paz'
    ///     name LIKE "pay*"          t0."name" >= 'pay' AND t0."name" < 'paz'
    ///     name LIKE "p*y"           t0."name" >= 'p' AND t0."name" < 'q' AND is_like(t0."name", 'p*y', 0)
    ///     name CONTAINS "pay"       instr(t0."name", 'pay') > 0
    ///     name MATCHES %@           matches(t0."name", ?, 0)
    func text(_ operand: ResolvedValue, _ test: TextTest) throws -> SQLFragment {
        try requireQuery()
        guard test.options.isEmpty, case .constant(_, let isLiteral) = test.pattern else {
            return try call(operand, test)
        }
        switch test.prepared {
        case .part(let part, .beginsWith, _):
            return try range(operand, String(decoding: part.bytes, as: UTF8.self), isLiteral)
                ?? SQLFragment("0")
        case .part(let part, .contains, _) where !part.isEmpty:
            let part = constant(.string(String(decoding: part.bytes, as: UTF8.self)), isLiteral: isLiteral)
            return try "instr(" + value(operand) + ", " + part + ") > 0"
        case .like(let pattern, _):
            let beginning = pattern.literal
            if beginning.isWhole {
                return try value(operand) + " = " + constant(.string(beginning.text), isLiteral: isLiteral)
            }
            guard let range = try range(operand, beginning.text, isLiteral) else {
                return try call(operand, test)
            }
            return beginning.isPrefix ? range : try range + " AND " + call(operand, test)
        default:
            return try call(operand, test)
        }
    }

    private func call(_ operand: ResolvedValue, _ test: TextTest) throws -> SQLFragment {
        try SQLFunctions.name(of: test.comparator) + "(" + value(operand) + ", " + value(test.pattern)
            + ", \(test.options.rawValue))"
    }

    /// The texts that begin so: from the beginning itself up to the next text that does not. Nil when
    /// the beginning is empty.
    private func range(
        _ operand: ResolvedValue, _ beginning: String, _ isLiteral: Bool
    ) throws -> SQLFragment? {
        guard !beginning.isEmpty else { return nil }
        let column = try value(operand)
        let low = column + " >= " + constant(.string(beginning), isLiteral: isLiteral)
        guard let end = beginning.firstAfterPrefixed else { return low }
        return low + " AND " + column + " < " + constant(.string(end), isLiteral: isLiteral)
    }
}

extension String {
    /// The least text that stands after every text with this beginning; nil when there is none.
    fileprivate var firstAfterPrefixed: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            // The scalars leave out the surrogates.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                scalars.append(scalar)
                return String(scalars)
            }
        }
        return nil
    }
}
