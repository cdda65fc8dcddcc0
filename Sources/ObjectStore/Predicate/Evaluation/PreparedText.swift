/// The right operand of a text operator, prepared for the comparison with many texts.
package enum PreparedText: Sendable {
    /// The operand of BEGINSWITH, CONTAINS or ENDSWITH.
    case part(FoldedText, ResolvedCondition.TextOperator, StringOptions)
    case like(LikePattern, StringOptions)
    case expression(RegularExpression)
    case words(WordSearch)

    /// Prepares the operand.
    ///
    /// - Parameter offset: the offset of the pattern in the format, for errors.
    /// - Throws: ``FetchPredicateError`` if the operator is MATCHES and `pattern` is not a regular expression.
    init(
        _ pattern: String, comparator: ResolvedCondition.TextOperator,
        options: StringOptions, at offset: Int? = nil
    ) throws(FetchPredicateError) {
        switch comparator {
        case .beginsWith, .contains, .endsWith:
            self = .part(FoldedText(pattern, options), comparator, options)
        case .like: self = .like(LikePattern(pattern, options), options)
        case .containsWords:
            do {
                self = .words(try WordSearch(pattern))
            } catch {
                throw FetchPredicateError(
                    .pattern, at: offset, found: "a search for words", expected: "an SQLite that has FTS5",
                    hint: "CONTAINS[cd] works without it")
            }
        case .matches:
            do {
                self = .expression(try RegularExpression(pattern, options))
            } catch {
                throw FetchPredicateError(malformed: error, at: offset)
            }
        }
    }

    /// Returns whether the operator is true for a text.
    ///
    /// BEGINSWITH, CONTAINS and ENDSWITH are false if the right operand is empty.
    ///
    /// - Throws: ``FetchPredicateError`` if a regular expression takes too long for this text.
    func accepts(_ text: String) throws(FetchPredicateError) -> Bool {
        var text = if case .words = self { text.normalized } else { text }
        return try text.withUTF8 { utf8 in
            Result { () throws(FetchPredicateError) in try accepts(utf8: utf8) }
        }.get()
    }

    func accepts(utf8 text: UnsafeBufferPointer<UInt8>) throws(FetchPredicateError) -> Bool {
        switch self {
        case .part(let part, let comparator, let options):
            if part.isEmpty { return false }
            return part.bytes.withUnsafeBufferPointer { part in
                FoldedText.withFolded(text, options) { whole in
                    switch comparator {
                    case .beginsWith: whole.hasPrefix(part)
                    case .endsWith: whole.hasSuffix(part)
                    default: whole.contains(part)
                    }
                }
            }
        case .like(let pattern, let options):
            return FoldedText.withFolded(text, options, pattern.matches)
        case .words(let search): return search.matches(utf8: text)
        case .expression(let expression):
            do {
                return try expression.matches(utf8: text)
            } catch {
                throw FetchPredicateError(failed: error)
            }
        }
    }
}

extension FetchPredicateError {
    /// Creates the error for a malformed regular expression.
    fileprivate init(malformed failure: RegularExpression.Failure, at offset: Int?) {
        let place = failure.offset.map { " at its offset \($0)" } ?? ""
        self.init(
            .pattern, at: offset, found: "a malformed regular expression: \(failure.reason)\(place)",
            expected: "one that PCRE2 reads")
    }

    /// Creates the error for a regular expression that exceeds a limit.
    fileprivate init(failed failure: RegularExpression.Failure) {
        self.init(
            .pattern, at: nil, found: "a regular expression that takes too long: \(failure.reason)",
            expected: "one that needs a single pass over a text",
            hint: "avoid nested repetitions, such as (a+)+")
    }
}
