/// The right side of LIKE: `*` stands for any characters, `?` for one, and a backslash takes the meaning
/// from what follows it. A character is a scalar of the folded text.
struct LikePattern: Hashable, Sendable {
    private enum Element: Hashable {
        case anything
        case one
        /// The UTF-8 of one or more scalars.
        case literal([UInt8])
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
            case "\\": Self.append(scalars.next() ?? scalar, to: &elements)
            default: Self.append(scalar, to: &elements)
            }
        }
        self.elements = elements
    }

    private static func append(_ scalar: Unicode.Scalar, to elements: inout [Element]) {
        if case .literal(let bytes) = elements.last {
            elements[elements.count - 1] = .literal(bytes + String(scalar).utf8)
        } else {
            elements.append(.literal(Array(String(scalar).utf8)))
        }
    }

    /// The text before the first wildcard; with `isWhole` there is none and the pattern is that text,
    /// and with `isPrefix` the pattern is that text followed by anything.
    var literal: (text: String, isWhole: Bool, isPrefix: Bool) {
        guard case .literal(let bytes) = elements.first else {
            return ("", elements.isEmpty, elements == [.anything])
        }
        let rest = elements.dropFirst()
        return (String(decoding: bytes, as: UTF8.self), rest.isEmpty, rest.elementsEqual([.anything]))
    }

    /// Whether the whole of a folded text fits. When something does not fit, only the last `*` takes one
    /// more scalar: the ones before it have nothing to gain.
    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        var element = 0
        var retry: (element: Int, position: Int)?
        while position < text.count {
            if element < elements.count, elements[element] == .anything {
                element += 1
                if element == elements.count { return true }
                retry = (element, position)
            } else if element < elements.count,
                let length = length(of: elements[element], in: text, at: position)
            {
                element += 1
                position += length
            } else if let last = retry {
                element = last.element
                position = last.position + text.scalarLength(at: last.position)
                retry = (element, position)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anything }
    }

    /// How many bytes of the text the element takes; nil when it does not fit there.
    private func length(of element: Element, in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        switch element {
        case .anything: 0
        case .one: text.scalarLength(at: position)
        case .literal(let bytes): text.holds(bytes, at: position) ? bytes.count : nil
        }
    }
}
