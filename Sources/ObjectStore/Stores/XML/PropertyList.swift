/// A property list as XML writes it. What is neither a list nor a dictionary stays the text it is, so that
/// what another program put there comes out again unchanged.
indirect enum PropertyList: Hashable {
    /// The name of the element, such as `integer`, and the text in it.
    case scalar(element: String, text: String)
    case array([PropertyList])
    case dictionary([String: PropertyList])

    static func string(_ text: String) -> PropertyList {
        .scalar(element: "string", text: XMLText.escaped(text))
    }

    static func integer(_ number: Int64) -> PropertyList {
        .scalar(element: "integer", text: String(number))
    }

    /// A dictionary of strings of ours, whose keys may be any text.
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

    /// The dictionary of strings; nil when any value is something else.
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
    /// Adds the elements of the list, indented by so many levels of four spaces.
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
