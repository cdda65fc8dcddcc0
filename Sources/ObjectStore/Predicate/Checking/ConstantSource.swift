/// The origin of a constant, which decides whether SQL contains it as a literal or binds it.
package enum ConstantSource: Hashable, Sendable {
    case literal
    /// A bound value and how it is made from a numbered argument, or `nil` if the translation cannot be reused.
    case bound(ArgumentUse?)

    init(_ origin: FetchPredicate.Origin) {
        self = origin.isLiteral ? .literal : .bound(origin.argument.map { ArgumentUse(number: $0) })
    }

    /// Returns the source of a value that `step` makes from the constant.
    func after(_ step: ArgumentUse.Step) -> ConstantSource {
        guard case .bound(let use?) = self else { return self }
        return .bound(use.after(step))
    }
}

/// The value that a statement binds for an argument: the argument itself, or a value made from it in steps.
///
/// The translation for one argument can be reused for another one of the same type if all steps succeed for it.
package struct ArgumentUse: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Converts the value to the type of the other operand.
        case read(as: ValueType)
        /// Folds a text as in a comparison with these options.
        case folded(StringOptions)
        /// Requires a text that is not empty.
        case notEmpty
        /// Makes the search of a column in the language of FTS5.
        case searched(column: String)
        /// Makes the upper bound of the range of texts with this prefix.
        case afterPrefixed
    }

    /// The position in the list of arguments.
    let number: Int
    private var steps: [Step] = []

    init(number: Int) {
        self.number = number
    }

    func after(_ step: Step) -> ArgumentUse {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// Returns the value to bind, or `nil` if a step fails and these arguments need their own translation.
    func value(_ arguments: [AttributeValue]) -> AttributeValue? {
        var value = arguments[number]
        for step in steps {
            guard let next = Self.apply(step, to: value) else { return nil }
            value = next
        }
        return value
    }

    private static func apply(_ step: Step, to value: AttributeValue) -> AttributeValue? {
        switch (step, value) {
        case (.read(let type), _): value.read(as: type)
        case (.folded(let options), _): value.folded(options)
        case (.notEmpty, .string(let text)): text.isEmpty ? nil : value
        case (.afterPrefixed, .string(let text)): text.firstAfterPrefixed.map { .string($0) }
        case (.searched(let column), .string(let text)): searched(text, column: column)
        case (.notEmpty, _), (.afterPrefixed, _), (.searched, _): nil
        }
    }

    /// Returns the search of a column, or `nil` if `text` has no words.
    private static func searched(_ text: String, column: String) -> AttributeValue? {
        guard let search = try? WordSearch(text), !search.isEmpty else { return nil }
        return .string(search.expression(forColumn: column))
    }
}

extension AttributeValue {
    /// Returns the value. A text is folded as in a comparison with these options.
    package func folded(_ options: StringOptions) -> AttributeValue {
        switch self {
        case .string(let text), .uri(let text):
            .string(String(decoding: FoldedText(text, options).bytes, as: UTF8.self))
        default: self
        }
    }
}

extension String {
    /// The smallest text in NFC that is greater than every text with this prefix, or `nil` if there is none.
    ///
    /// A text that is bound is normalized, so another form would be bound as another text.
    package var firstAfterPrefixed: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            // The code points of surrogates are not scalars.
            var next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            while let scalar = Unicode.Scalar(next) {
                let text = String(scalars) + String(scalar)
                if text.normalized.utf8.elementsEqual(text.utf8) { return text }
                next = next == 0xD7FF ? 0xE000 : next + 1
            }
        }
        return nil
    }
}
