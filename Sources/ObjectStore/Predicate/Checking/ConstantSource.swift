/// Where a constant comes from: a literal stands in the text of SQL, any other is bound.
enum ConstantSource: Hashable, Sendable {
    case literal
    /// What is bound, in the terms of a numbered argument; nil when it is good for one translation only.
    case bound(ArgumentUse?)

    init(_ origin: FetchPredicate.Origin) {
        self = origin.isLiteral ? .literal : .bound(origin.argument.map { ArgumentUse(number: $0) })
    }

    /// The source of what a step makes of the constant.
    func after(_ step: ArgumentUse.Step) -> ConstantSource {
        guard case .bound(let use?) = self else { return self }
        return .bound(use.after(step))
    }
}

/// What a statement binds of an argument: the argument, or something that is made of it.
///
/// A translation that was made for one argument serves another of the same type, as long as the steps
/// make something of that one too.
struct ArgumentUse: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// In the type of what it is compared with.
        case read(as: ValueType)
        /// As a comparison with these options sees it.
        case folded(FetchPredicate.StringOptions)
        /// A text with something in it.
        case notEmpty
        /// The end of the range of texts that begin so.
        case afterPrefixed
    }

    /// The position among the arguments.
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

    /// The value to bind; nil when this argument needs a translation of its own.
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
        case (.notEmpty, _), (.afterPrefixed, _): nil
        }
    }
}

extension AttributeValue {
    /// The value as a comparison with those options sees it.
    func folded(_ options: FetchPredicate.StringOptions) -> AttributeValue {
        switch self {
        case .string(let text), .uri(let text):
            .string(String(decoding: FoldedText(text, options).bytes, as: UTF8.self))
        default: self
        }
    }
}

extension String {
    /// The least text that stands after every text with this beginning; nil when there is none.
    var firstAfterPrefixed: String? {
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
