internal import CivilTime
internal import Phrases
internal import TodoAPI
internal import Varlink

/// A line about an item, for scripts: `{id}\t{name}\t{due}`.
///
/// A field stands in braces by its name in the API, and is what `--json` shows; nothing when the item does not have it.
/// `\t`, `\n`, `\\`, `\{` and `\}` stand for these characters. Control characters in an item are escaped, so a tab of the
/// template cannot be mistaken for one of the item.
struct ItemTemplate {
    private enum Part {
        case text(String)
        case field(String)
    }

    private let parts: [Part]

    init(_ format: String) throws(ClientError) {
        var parts: [Part] = []
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\": text.append(Self.escaped(rest.popFirst()))
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw .usage("todoctl: a '{' of the template has no '}'", hint: Self.hint)
                }
                parts += [.text(text), .field(try Self.field(String(rest[..<end])))]
                text = ""
                rest = rest[end...].dropFirst()
            default: text.append(character)
            }
        }
        self.parts = parts + [.text(text)]
    }

    private static let hint = #"A template is such as '{id}\t{name}\t{due}'; \{ is a brace."#

    private static func escaped(_ character: Character?) -> Character {
        switch character {
        case "t": "\t"
        case "n": "\n"
        case let other: other ?? "\\"
        }
    }

    private static func field(_ name: String) throws(ClientError) -> String {
        let names = ((try? FieldLister.fields(of: Item())) ?? []).map { String($0.prefix { $0 != ":" }) }
        if names.contains(name) { return name }
        let near = EditDistance.nearest(to: name, among: names)
        throw .usage(
            "todoctl: an item has no field '\(name.oneLine(bytesLimit: 80))'",
            hint: near.map { "Did you mean '{\($0)}'?" } ?? "It has \(names.joined(separator: ", ")).")
    }

    func line(for item: Item, _ zone: TimeZoneRules) -> String {
        var writer = JSONWriter()
        writer.object { FieldWriter.write(item, to: &$0, zone: zone) }
        guard case .object(let fields)? = try? JSONParser.parse(writer.bytes) else { return "" }
        return parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name): Self.text(fields[name])
            }
        }.joined()
    }

    private static func text(_ value: JSON?) -> String {
        switch value {
        case nil: ""
        case .string(let text)?: text.oneLine()
        case let value?: value.text
        }
    }
}
