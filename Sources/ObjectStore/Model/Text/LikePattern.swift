/// The pattern of LIKE.
///
/// `*` matches any characters and `?` one character. A backslash makes the next character literal. A character is a
/// scalar of the folded text.
package struct LikePattern: Hashable, Sendable {
    private struct Element: Hashable {
        enum Kind: Hashable {
            case anything
            case one
            /// One or more scalars, in the range from `start` to `end` of `bytes`.
            case literal
        }

        let kind: Kind
        var start = 0
        var end = 0
    }

    private var elements: [Element] = []
    /// The UTF-8 of all literals.
    private var bytes: [UInt8] = []

    init(_ pattern: String, _ options: StringOptions) {
        let folded = String(decoding: FoldedText(pattern, options).bytes, as: UTF8.self)
        var scalars = folded.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*": if elements.last?.kind != .anything { elements.append(Element(kind: .anything)) }
            case "?": elements.append(Element(kind: .one))
            case "\\": append(scalars.next() ?? scalar)
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if elements.last?.kind != .literal {
            elements.append(Element(kind: .literal, start: bytes.count, end: bytes.count))
        }
        bytes += String(scalar).utf8
        elements[elements.count - 1].end = bytes.count
    }

    /// The text before the first wildcard.
    ///
    /// If `isWhole` is true, the pattern has no wildcard. If `isPrefix` is true, it is the text followed by `*`.
    package var literal: (text: String, isWhole: Bool, isPrefix: Bool) {
        let rest = elements.drop { $0.kind == .literal }
        let end = elements.first.map { $0.kind == .literal ? $0.end : 0 } ?? 0
        let isPrefix = rest.count == 1 && rest.first?.kind == .anything
        return (String(decoding: bytes[..<end], as: UTF8.self), rest.isEmpty, isPrefix)
    }

    /// The literals of the pattern in order, and whether `*` is before the first, between them and after the last, or `nil` if
    /// the pattern has a `?`.
    package var literals: (texts: [String], beginsOpen: Bool, endsOpen: Bool)? {
        guard !elements.contains(where: { $0.kind == .one }) else { return nil }
        let texts = elements.filter { $0.kind == .literal }.map {
            String(decoding: bytes[$0.start..<$0.end], as: UTF8.self)
        }
        return (texts, elements.first?.kind == .anything, elements.last?.kind == .anything)
    }

    /// Returns whether the pattern matches the whole of a folded text.
    ///
    /// After a mismatch, only the last `*` is extended by one scalar. Extending an earlier one cannot help.
    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { literals in matches(text, literals: literals) }
    }

    private func matches(_ text: UnsafeBufferPointer<UInt8>, literals: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        var index = 0
        var retry: (index: Int, position: Int)?
        while position < text.count {
            if index < elements.count {
                let element = elements[index]
                index += 1
                if element.kind == .anything {
                    if index == elements.count { return true }
                    retry = (index, position)
                    continue
                }
                if element.kind == .one {
                    position += text.scalarLength(at: position)
                    continue
                }
                let literal = UnsafeBufferPointer(rebasing: literals[element.start..<element.end])
                if text.holds(literal, at: position) {
                    position += literal.count
                    continue
                }
            }
            guard let last = retry else { return false }
            index = last.index
            position = last.position + text.scalarLength(at: last.position)
            retry = (index, position)
        }
        return elements[index...].allSatisfy { $0.kind == .anything }
    }
}
