/// The right side of LIKE: `*` stands for any characters, `?` for one, and a backslash takes the meaning
/// from what follows it. A character is a scalar of the folded text.
struct LikePattern: Hashable, Sendable {
    private enum Element: Hashable {
        case anything
        case one
        case scalar(Unicode.Scalar)
    }

    private let elements: [Element]

    init(_ pattern: String, _ options: FetchPredicate.StringOptions) {
        let folded = String(decoding: FoldedText(pattern, options).bytes, as: UTF8.self)
        var elements: [Element] = []
        var scalars = folded.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*": if elements.last != .anything { elements.append(.anything) }
            case "?": elements.append(.one)
            case "\\": elements.append(.scalar(scalars.next() ?? "\\"))
            default: elements.append(.scalar(scalar))
            }
        }
        self.elements = elements
    }

    /// The text before the first wildcard; with `isWhole` there is none and the pattern is that text,
    /// and with `isPrefix` the pattern is that text followed by anything.
    var literal: (text: String, isWhole: Bool, isPrefix: Bool) {
        var text = String.UnicodeScalarView()
        for case .scalar(let scalar) in elements.prefix(while: { $0 != .anything && $0 != .one }) {
            text.append(scalar)
        }
        let rest = elements[text.count...]
        return (String(text), rest.isEmpty, rest.elementsEqual([.anything]))
    }

    /// Whether the whole text fits. When a literal fails, only the last `*` takes one more scalar: the
    /// ones before it have nothing to gain.
    func matches(_ text: FoldedText) -> Bool {
        let scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
        var position = 0
        var element = 0
        var retry: (element: Int, position: Int)?
        while position < scalars.count {
            if element < elements.count, elements[element] == .anything {
                retry = (element + 1, position)
                element += 1
            } else if element < elements.count, accepts(elements[element], scalars[position]) {
                element += 1
                position += 1
            } else if let last = retry {
                retry = (last.element, last.position + 1)
                element = last.element
                position = last.position + 1
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anything }
    }

    private func accepts(_ element: Element, _ scalar: Unicode.Scalar) -> Bool {
        element == .one || element == .scalar(scalar)
    }
}
