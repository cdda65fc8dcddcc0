/// A parser of Varlink's interface language, as far as tests need it.
package struct InterfaceText {
    package struct Method {
        package let parameters: [String]
        package let reply: [String]
    }

    package private(set) var name = ""
    package private(set) var types: [String: [String]] = [:]
    package private(set) var methods: [String: Method] = [:]
    package private(set) var errors: [String: [String]] = [:]

    package init(_ text: String) {
        let lines = text.split(separator: "\n").map { line in String(line.prefix { $0 != "#" }) }
        var rest = Substring(lines.joined(separator: " "))
        while let keyword = Self.word(&rest) {
            let name = Self.word(&rest) ?? ""
            switch keyword {
            case "interface": self.name = name
            case "type": types[name] = Self.fields(&rest)
            case "error": errors[name] = Self.fields(&rest)
            case "method":
                let parameters = Self.fields(&rest)
                _ = Self.word(&rest)
                methods[name] = Method(parameters: parameters, reply: Self.fields(&rest))
            default: return
            }
        }
    }

    private static func word(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " && $0 != "(" }
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : String(word)
    }

    /// The text between a parenthesis and its match, split at the outer commas, with spaces folded.
    private static func fields(_ rest: inout Substring) -> [String] {
        rest = rest.drop { $0 != "(" }.dropFirst()
        var depth = 1
        var fields = [""]
        while let character = rest.popFirst() {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 { break }
            if character == ",", depth == 1 {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
        }
        return fields.map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }
}
