internal import TodoAPI
internal import Varlink

/// A text from `todoctl export`: `{"todod":1,"categories":[…],"tags":[…],"views":[…],"items":[…]}`.
///
/// A file without tags or views, such as one of an older version, does not have the list of them.
struct OwnContent: ImportContent {
    /// The version of the format.
    static let version: Int64 = 1
    /// The members of the outermost object.
    private static let members = (
        version: "todod", categories: "categories", tags: "tags", views: "views", items: "items"
    )

    private var categories: JSONListReader
    private var tags: JSONListReader?
    private var views: JSONListReader?
    private var items: JSONListReader
    let itemCount: Int

    init(_ outline: JSONOutline, in text: String) throws {
        guard case .object(let members) = outline, let version = outline[Self.members.version] else {
            throw APIError.invalidValue(field: "text", reason: "expected the output of 'todoctl export'")
        }
        guard case .value(.integer(let number)) = version else {
            throw FieldError(
                field: Self.members.version, reason: "expected an integer, found \(version.kind)")
        }
        // Another version has other fields.
        guard number == Self.version else {
            throw APIError.invalidValue(
                field: Self.members.version,
                reason: "the file has version \(number); only version \(Self.version) is known")
        }
        let known = [
            Self.members.version, Self.members.categories, Self.members.tags, Self.members.views,
            Self.members.items,
        ]
        if let unknown = members.first(where: { !known.contains($0.name) }) {
            throw FieldError(field: String(unknown.name.prefix(64)), reason: "no such field")
        }
        categories = JSONListReader(try Self.list(Self.members.categories, outline), in: text)
        if outline[Self.members.tags] != nil {
            tags = JSONListReader(try Self.list(Self.members.tags, outline), in: text)
        }
        if outline[Self.members.views] != nil {
            views = JSONListReader(try Self.list(Self.members.views, outline), in: text)
        }
        let items = try Self.list(Self.members.items, outline)
        self.items = JSONListReader(items, in: text)
        itemCount = items.count
    }

    /// Whether a text of unknown format seems to be in this one.
    static func resembles(_ outline: JSONOutline) -> Bool {
        [members.version, members.categories, members.items].contains { outline[$0] != nil }
    }

    private static func list(_ name: String, _ outline: JSONOutline) throws(FieldError) -> JSONList {
        guard case .list(let list)? = outline[name] else {
            throw FieldError(
                field: name, reason: "expected an array, found \(outline[name]?.kind ?? "nothing")")
        }
        return list
    }

    mutating func nextCategory() throws -> ImportedObject<ExportedCategory>? {
        try Self.next(&categories, Self.members.categories)
    }

    mutating func nextTag() throws -> ImportedObject<ExportedTag>? {
        guard var reader = tags else { return nil }
        defer { tags = reader }
        return try Self.next(&reader, Self.members.tags)
    }

    mutating func nextView() throws -> ImportedObject<ExportedView>? {
        guard var reader = views else { return nil }
        defer { views = reader }
        return try Self.next(&reader, Self.members.views)
    }

    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        try Self.next(&items, Self.members.items)
    }

    private static func next<Body: NamedBody>(
        _ list: inout JSONListReader, _ name: String
    ) throws -> ImportedObject<Body>? {
        let place = "\(name)[\(list.index)]"
        guard let json = try list.next() else { return nil }
        guard case .object(let object) = json else {
            throw FieldError(field: place, reason: "expected \(Body.expected), found \(json.kind)")
        }
        return ImportedObject(body: try FieldReader.read(Body.self, from: object, at: place), place: place)
    }
}
