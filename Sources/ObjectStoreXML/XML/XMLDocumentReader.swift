internal import ObjectStore

/// An object of an XML store, before it is matched to a model.
struct XMLObject {
    struct TypedText {
        let name: String
        let type: String
        let text: String
    }

    struct Relationship {
        let name: String
        /// `1/1` for one object, `0/0` for any number.
        let type: String
        let destination: String
        let references: [Int128]
    }

    let type: String
    let number: Int128
    var attributes: [TypedText] = []
    var relationships: [Relationship] = []
}

/// The information about an XML store before its objects.
struct XMLInformation {
    var identifier: UUIDValue?
    /// The largest number that an object has had.
    var largestNumber: Int128 = 0
    var properties: [String: PropertyList] = [:]
}

/// Reads the document of an XML store: first the information about it, then its objects one by one.
///
///     <database>
///         <databaseInfo>…</databaseInfo>
///         <object type="BOOK" id="z102">…</object>
///     </database>
final class XMLDocumentReader {
    private let events: XMLEventReader
    /// The start of an element that was read but not used yet.
    private var pending: (name: String, attributes: XMLEventReader.Attributes)?

    init(_ path: String) throws(StoreError) {
        events = try XMLEventReader(path)
        guard let root = try nextChild(of: nil), root.name == "database" else {
            throw events.damage("the first element is not database")
        }
    }

    func damage(_ reason: String) -> StoreError {
        events.damage(reason)
    }

    // MARK: - Objects

    /// Returns the next object, or `nil` after the last one.
    func nextObject() throws(StoreError) -> XMLObject? {
        guard let start = try nextChild(of: "database") else {
            // Reading on makes the parser report malformed text after the root.
            while try events.next() != nil {}
            return nil
        }
        guard start.name == "object", let type = start.attributes.type,
            let number = start.attributes.id.flatMap(Self.number)
        else {
            throw damage("expected an object with a type and an id such as z102, found \(start.name)")
        }
        var object = XMLObject(type: type, number: number)
        while let child = try nextChild(of: "object") {
            let text = try text(of: child.name)
            guard let name = child.attributes.name, let kind = child.attributes.type else {
                throw damage("\(child.name) has no name or no type")
            }
            switch child.name {
            case "attribute":
                object.attributes.append(.init(name: name, type: kind, text: text))
            case "relationship":
                object.relationships.append(try relationship(name, type: kind, attributes: child.attributes))
            default:
                throw damage("expected an attribute or a relationship, found \(child.name)")
            }
        }
        return object
    }

    private func relationship(
        _ name: String, type: String, attributes: XMLEventReader.Attributes
    ) throws(StoreError) -> XMLObject.Relationship {
        guard let destination = attributes.destination else {
            throw damage("the relationship \(name) has no destination")
        }
        var references: [Int128] = []
        for reference in (attributes.idrefs ?? "").split(separator: " ") {
            guard let number = Self.number(String(reference)) else {
                throw damage("expected the id of an object such as z102, found \(reference)")
            }
            references.append(number)
        }
        return .init(name: name, type: type, destination: destination, references: references)
    }

    /// Returns the number in an ID such as `z102`, or `nil` if the ID has another form.
    private static func number(_ id: String) -> Int128? {
        guard id.utf8.first == UInt8(ascii: "z") else { return nil }
        return Int64(id.dropFirst()).map { Int128($0) } ?? Int128(id.dropFirst())
    }

    // MARK: - Information

    /// Reads the information about the store. It has to be called before `nextObject`.
    func information() throws(StoreError) -> XMLInformation {
        var information = XMLInformation()
        guard let start = try nextChild(of: "database") else { return information }
        guard start.name == "databaseInfo" else {
            pending = start
            return information
        }
        while let child = try nextChild(of: "databaseInfo") {
            switch child.name {
            case "UUID": information.identifier = UUIDValue(try text(of: child.name).spaceTrimmed)
            case "nextObjectID":
                information.largestNumber = Int128(try text(of: child.name).spaceTrimmed) ?? 0
            case "metadata": information.properties = try metadata()
            default: _ = try text(of: child.name)
            }
        }
        return information
    }

    private func metadata() throws(StoreError) -> [String: PropertyList] {
        var properties: [String: PropertyList] = [:]
        while let child = try nextChild(of: "metadata") {
            guard child.name == "plist" else { throw damage("expected plist, found \(child.name)") }
            while let value = try nextChild(of: "plist") {
                properties = try propertyList(value.name, depth: 0).dictionary ?? properties
            }
        }
        return properties
    }

    /// The limit of the depth of a property list. No meaningful list is deeper.
    private static let largestDepth = 64

    private func propertyList(_ element: String, depth: Int) throws(StoreError) -> PropertyList {
        guard depth < Self.largestDepth else { throw damage("the property list is too deep") }
        switch element {
        case "array":
            var elements: [PropertyList] = []
            while let child = try nextChild(of: element) {
                elements.append(try propertyList(child.name, depth: depth + 1))
            }
            return .array(elements)
        case "dict":
            var entries: [String: PropertyList] = [:]
            while let child = try nextChild(of: element) {
                guard child.name == "key" else { throw damage("expected key, found \(child.name)") }
                let key = try text(of: "key")
                guard let value = try nextChild(of: element) else {
                    throw damage("the key \(key) has no value")
                }
                entries[key] = try propertyList(value.name, depth: depth + 1)
            }
            return .dictionary(entries)
        default:
            return .scalar(element: element, text: try text(of: element))
        }
    }

    // MARK: - Elements

    /// Returns the next element in the open one, or `nil` at the end of that.
    private func nextChild(
        of parent: String?
    ) throws(StoreError) -> (name: String, attributes: XMLEventReader.Attributes)? {
        if let pending {
            self.pending = nil
            return pending
        }
        while let event = try events.next() {
            switch event {
            case .start(let name, let attributes): return (name, attributes)
            case .end: return nil
            case .text(let text):
                guard text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) else {
                    throw damage("there is text where elements are expected")
                }
            }
        }
        if let parent { throw damage("\(parent) does not end") }
        return nil
    }

    /// Returns the text up to the end of the open element.
    private func text(of element: String) throws(StoreError) -> String {
        var text = ""
        while let event = try events.next() {
            switch event {
            case .text(let part): text += part
            case .end: return text
            case .start(let name, _): throw damage("\(element) holds \(name) where text is expected")
            }
        }
        throw damage("\(element) does not end")
    }
}

extension String {
    /// The string without the white space at both ends.
    var spaceTrimmed: String {
        let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
        if let first = utf8.first, let last = utf8.last, visible.contains(first), visible.contains(last) {
            return self
        }
        guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}
