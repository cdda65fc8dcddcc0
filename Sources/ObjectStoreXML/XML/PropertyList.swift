/// A property list in XML. Values other than arrays and dictionaries are kept as text, so that the values of
/// another program are written back unchanged.
indirect enum PropertyList: Hashable {
    /// The name of the element, such as `integer`, and its text.
    case scalar(element: String, text: String)
    case array([PropertyList])
    case dictionary([String: PropertyList])

    static func string(_ text: String) -> PropertyList {
        .scalar(element: "string", text: XMLText.escaped(text))
    }

    static func integer(_ number: Int64) -> PropertyList {
        .scalar(element: "integer", text: String(number))
    }

    /// Returns a dictionary of strings. Keys and values may be any text.
    static func strings(_ entries: [String: String]) -> PropertyList {
        let pairs = entries.map { (XMLText.escaped($0.key), PropertyList.string($0.value)) }
        return .dictionary(Dictionary(uniqueKeysWithValues: pairs))
    }

    var string: String? {
        if case .scalar("string", let text) = self { XMLText.unescaped(text) } else { nil }
    }

    var integer: Int64? {
        if case .scalar("integer", let text) = self { Int64(text) } else { nil }
    }

    var array: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var dictionary: [String: PropertyList]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    /// The dictionary of strings, or `nil` if any value is not a string.
    var strings: [String: String]? {
        guard let dictionary else { return nil }
        var entries: [String: String] = [:]
        for (key, value) in dictionary {
            guard let text = value.string else { return nil }
            entries[XMLText.unescaped(key)] = text
        }
        return entries
    }
}

extension PropertyList {
    /// Writes the elements of the list, indented by `level` times four spaces.
    func write(to text: inout String, level: Int) {
        let space = String(repeating: "    ", count: level)
        switch self {
        case .scalar(let element, ""):
            text += "\(space)<\(element)></\(element)>\n"
        case .scalar(let element, let value):
            text += "\(space)<\(element)>\(XMLText.markup(value))</\(element)>\n"
        case .array(let elements):
            text += "\(space)<array>\n"
            for element in elements { element.write(to: &text, level: level + 1) }
            text += "\(space)</array>\n"
        case .dictionary(let entries):
            text += "\(space)<dict>\n"
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                text += "\(space)    <key>\(XMLText.markup(key))</key>\n"
                value.write(to: &text, level: level + 1)
            }
            text += "\(space)</dict>\n"
        }
    }
}
