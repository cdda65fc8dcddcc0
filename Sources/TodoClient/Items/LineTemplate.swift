internal import CivilTime
internal import Phrases
internal import TodoAPI
internal import Varlink

/// An object of a list that a template can print.
protocol TemplateSubject: NamedBody {
    /// The noun for the object with its article: `an item`.
    static var noun: String { get }
    static var fieldNames: [String] { get }
    /// Returns the value of a field that contains a time, or `nil` for other fields.
    static func time(_ name: String) -> ((Self) -> CalendarTime?)?
    /// The name of a field that contains a time.
    static var exampleTime: String { get }
}

extension Item: TemplateSubject {
    static let noun = "an item"
    static let exampleTime = "due"
    static var fieldNames: [String] { ItemField.names }

    static func time(_ name: String) -> ((Item) -> CalendarTime?)? {
        switch ItemField(rawValue: name)?.traits.property {
        case .moment(let path)?: { $0[keyPath: path].map(CalendarTime.moment) }
        case .time(let path)?: { $0[keyPath: path] }
        default: nil
        }
    }
}

typealias ItemTemplate = LineTemplate<Item>

/// A format for the line about an item, for use in scripts: `{id}\t{name}\t{due}`.
///
/// A field is its API name in braces. It becomes the value that `--json` shows, or nothing if the item does not have
/// it. The elements of a list are separated by commas. A time has two other forms: `{due:local}` is `2026-11-27 17:00`,
/// and `{due:relative}` is `in 25 h`.
///
/// `\t` is a tab, `\n` is a newline, and `\\`, `\{` and `\}` are the characters after the backslash. Control characters
/// in an item are escaped, so a tab in the output is always one of the template.
struct LineTemplate<Subject: TemplateSubject> {
    private enum Part {
        case text(String)
        case field(String)
        case moment(String, form: TemplateTimeForm)
    }

    private let parts: [Part]

    init(_ format: String) throws(ClientError) {
        if format.isEmpty {
            let names = Subject.fieldNames.joined(separator: ", ")
            throw .usage("todoctl: --format is empty", hint: "\(Self.hint) The fields are \(names).")
        }
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
                parts += [.text(text), try Self.field(String(rest[..<end]))]
                text = ""
                rest = rest[end...].dropFirst()
            default: text.append(character)
            }
        }
        self.parts = parts + [.text(text)]
    }

    private static var hint: String {
        #"Example: '{id}\t{name}\t{\#(Subject.exampleTime)}'. Write \{ for a brace."#
    }

    private static func escaped(_ character: Character?) -> Character {
        switch character {
        case "t": "\t"
        case "n": "\n"
        case let other: other ?? "\\"
        }
    }

    private static func field(_ text: String) throws(ClientError) -> Part {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let names = Subject.fieldNames
        let name = parts[0]
        if names.contains(name) {
            guard parts.count == 2 else { return .field(name) }
            guard let form = TemplateTimeForm(rawValue: parts[1]), Subject.time(name) != nil else {
                let forms = TemplateTimeForm.allCases.map { "'{\(Subject.exampleTime):\($0)}'" }.joined(
                    separator: " and ")
                throw .usage(
                    "todoctl: a template takes no '{\(text.oneLine(bytesLimit: 80))}'",
                    hint: "Times have other forms: \(forms).")
            }
            return .moment(name, form: form)
        }
        let near = EditDistance.nearest(to: name, among: names)
        throw .usage(
            "todoctl: \(Subject.noun) has no field '\(name.oneLine(bytesLimit: 80))'",
            hint: near.map { "Did you mean '{\($0)}'?" } ?? "It has \(names.joined(separator: ", ")).")
    }

    /// The names of the fields in the template.
    var fields: [String] {
        parts.compactMap { part in
            switch part {
            case .text: nil
            case .field(let name), .moment(let name, _): name
            }
        }
    }

    func line(for subject: Subject, _ zone: TimeZoneRules, _ words: TimeInWords) -> String {
        var writer = JSONWriter()
        writer.object { FieldWriter.write(subject, to: &$0, zone: zone) }
        guard case .object(let fields)? = try? JSONParser.parse(writer.bytes) else { return "" }
        return parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name): Self.text(fields[name])
            case .moment(let name, let form):
                Subject.time(name)?(subject).map { moment in
                    switch form {
                    case .local: words.sortableMoment(moment)
                    case .relative: words.distance(to: moment)
                    }
                } ?? ""
            }
        }.joined()
    }

    private static func text(_ value: JSON?) -> String {
        switch value {
        case nil: ""
        case .string(let text)?: text.oneLine()
        case .array(let elements)?: elements.map { Self.text($0) }.joined(separator: ",")
        case let value?: value.text
        }
    }
}

/// A form of a time in a template, besides that of the API.
private enum TemplateTimeForm: String, CaseIterable {
    case local, relative
}
