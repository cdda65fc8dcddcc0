internal import CLibXML2

/// Reads an XML document and delivers each child of its root element as soon as it is complete.
///
/// Only one child is in memory at a time. Documents with a document type are refused, so there are no entities to expand.
final class XMLDocumentReader {
    /// A document that cannot be read, or that the receiver refused.
    struct Failure: Error, Equatable {
        let reason: String
    }

    private struct NamePointers: Hashable {
        let name: UnsafePointer<xmlChar>?
        let namespace: UnsafePointer<xmlChar>?
    }

    private static let depthLimit = 32
    /// The most elements in one child of the root.
    private static let elementsLimit = 10_000
    private static let namesLimit = 1_000
    private static let chunkBytes = 64 << 10
    private static let isStarted: Void = xmlInitParser()

    private var context: xmlParserCtxtPtr?
    private let receive: (XMLElement) throws(Failure) -> Void
    private var names: [NamePointers: String] = [:]
    private var root: String?
    private var depth = 0
    private var elementCount = 0
    /// The open elements below the root, and the bytes of their texts.
    private var open: [(element: XMLElement, text: [UInt8])] = []
    private var failure: Failure?

    private init(_ receive: @escaping (XMLElement) throws(Failure) -> Void) {
        self.receive = receive
    }

    /// Reads a document and returns the name of its root element.
    static func read(
        _ bytes: [UInt8], _ receive: @escaping (XMLElement) throws(Failure) -> Void
    ) throws(Failure) -> String {
        let reader = XMLDocumentReader(receive)
        try reader.parse(bytes)
        guard let root = reader.root else { throw Failure(reason: "it is empty") }
        return root
    }

    private func parse(_ bytes: [UInt8]) throws(Failure) {
        // A zero among the first bytes is a sign of UTF-16 or UTF-32, in which the scan finds no tags.
        guard !bytes.prefix(4).contains(0), !bytes.starts(with: [0xFE, 0xFF]),
            !bytes.starts(with: [0xFF, 0xFE])
        else { throw Failure(reason: "it is not in UTF-8") }
        guard XMLTagScan.hasOnlyShortTags(bytes) else { throw Failure(reason: "a tag is too long") }
        _ = Self.isStarted
        var handler = Self.handler()
        let user = Unmanaged.passUnretained(self).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&handler, user, nil, 0, nil) else {
            throw Failure(reason: "there is not enough memory to read it")
        }
        self.context = context
        defer {
            self.context = nil
            xmlFreeParserCtxt(context)
        }
        // The body of an answer has a limit, and without a document type nothing in it can grow.
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue))
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count, failure == nil {
                let end = min(start + Self.chunkBytes, bytes.count)
                let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                xmlParseChunk(
                    context, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(chunk.count), 0)
                start = end
            }
            if failure == nil { xmlParseChunk(context, nil, 0, 1) }
        }
        if let failure { throw failure }
        guard context.pointee.wellFormed == 1, depth == 0 else {
            throw Failure(reason: "the XML is incomplete or not well-formed")
        }
    }

    // MARK: - Events

    /// Returns the name of an element. libxml2 keeps one copy of each name, so that the pointers identify it.
    private func name(_ name: UnsafePointer<xmlChar>?, in namespace: UnsafePointer<xmlChar>?) -> String {
        let pointers = NamePointers(name: name, namespace: namespace)
        if let known = names[pointers] { return known }
        let qualified = Self.qualified(name, in: namespace)
        if names.count < Self.namesLimit { names[pointers] = qualified }
        return qualified
    }

    private func start(_ name: String, nameAttribute: String?) {
        guard failure == nil else { return }
        depth += 1
        guard depth <= Self.depthLimit else { return stop("its elements are nested too deeply") }
        guard depth > 1 else { return root = name }
        elementCount += 1
        guard elementCount <= Self.elementsLimit else { return stop("a part has too many elements") }
        open.append((XMLElement(name: name, nameAttribute: nameAttribute), []))
    }

    private func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard failure == nil, !open.isEmpty else { return }
        open[open.count - 1].text.append(contentsOf: bytes)
    }

    private func end() {
        guard failure == nil else { return }
        depth -= 1
        guard case (var element, let text)? = open.popLast() else { return }
        element.text = String(decoding: text, as: UTF8.self)
        guard open.isEmpty else { return open[open.count - 1].element.children.append(element) }
        elementCount = 0
        do {
            try receive(element)
        } catch {
            stop(error.reason)
        }
    }

    private func stop(_ reason: String) {
        failure = failure ?? Failure(reason: reason)
        if let context { xmlStopParser(context) }
    }

    // MARK: - Callbacks of libxml2

    private static func reader(_ user: UnsafeMutableRawPointer?) -> XMLDocumentReader? {
        user.map { Unmanaged<XMLDocumentReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func handler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.internalSubset = { user, _, _, _ in
            XMLDocumentReader.reader(user)?.stop("it has a document type")
        }
        handler.startElementNs = { user, name, _, namespace, _, _, count, _, attributes in
            guard let reader = XMLDocumentReader.reader(user) else { return }
            reader.start(
                reader.name(name, in: namespace),
                nameAttribute: XMLDocumentReader.value(of: "name", attributes, count: Int(count)))
        }
        handler.endElementNs = { user, _, _, _ in XMLDocumentReader.reader(user)?.end() }
        handler.characters = { user, start, count in
            XMLDocumentReader.reader(user)?.add(UnsafeBufferPointer(start: start, count: Int(count)))
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.serror = { user, error in
            guard let reader = XMLDocumentReader.reader(user), reader.failure == nil, let error,
                error.pointee.level == XML_ERR_FATAL
            else { return }
            let message = error.pointee.message.map { String(cString: $0).trimmingSpace } ?? "not well-formed"
            reader.failure = Failure(reason: "line \(error.pointee.line) of the XML: \(message)")
        }
        return handler
    }

    private static func qualified(_ name: UnsafePointer<xmlChar>?, in namespace: UnsafePointer<xmlChar>?)
        -> String
    {
        let name = name.map { String(cString: $0) } ?? ""
        let namespace = namespace.map { String(cString: $0) } ?? ""
        return XMLElement.prefixes[namespace].map { "\($0):\(name)" } ?? "{\(namespace)}\(name)"
    }

    /// Returns the value of an attribute. libxml2 gives five pointers for each one: name, prefix, namespace, and the first
    /// byte of the value and the byte after it.
    private static func value(
        of name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) -> String? {
        guard let attributes else { return nil }
        for index in 0..<count {
            let attribute = attributes + index * 5
            guard let label = attribute[0], String(cString: label) == name, let start = attribute[3],
                let end = attribute[4]
            else { continue }
            return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
        }
        return nil
    }
}
