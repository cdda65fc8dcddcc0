internal import CLibXML2
internal import ObjectStore
internal import Platform

/// Reads an XML document as a sequence of elements and the text between them.
///
/// It opens nothing but the file, and it rejects references to entities.
final class XMLEventReader {
    enum Event {
        case start(String, Attributes)
        case end(String)
        case text(String)
    }

    /// The attributes of an element that are used in a store.
    struct Attributes {
        var name: String?
        var type: String?
        var id: String?
        var destination: String?
        var idrefs: String?
    }

    /// The parser's message about a document that it cannot read.
    private final class Complaint {
        var message: String?
    }

    private let path: String
    private let file: FileDescriptor
    private let reader: xmlTextReaderPtr
    private let complaint = Complaint()
    /// The name of an empty element. Its end is the next event.
    private var pendingEnd: String?

    init(_ path: String) throws(StoreError) {
        self.path = path
        // libxml2 gets a descriptor, because it would take some paths for URLs, and decompress some files.
        file = try StoreFiles.openForReading(path)
        // Long texts are safe, because no entity can expand them.
        let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue)
        guard let reader = xmlReaderForFd(file.number, nil, "UTF-8", options) else {
            throw StoreError(.other, "there is not enough memory to read the file", path: path)
        }
        self.reader = reader
        let context = Unmanaged.passUnretained(complaint).toOpaque()
        xmlTextReaderSetStructuredErrorHandler(
            reader,
            { context, error in
                guard let context, let text = error?.pointee.message else { return }
                let complaint = Unmanaged<Complaint>.fromOpaque(context).takeUnretainedValue()
                let message = String(cString: text).split(separator: "\n").joined(separator: " ")
                // The parser reports both as "extra content at the end".
                let isEnd = error?.pointee.code == Int32(XML_ERR_DOCUMENT_END.rawValue)
                complaint.message =
                    complaint.message
                    ?? (isEnd ? "the document is incomplete, or continues after its end" : message)
            }, context)
    }

    deinit {
        xmlFreeTextReader(reader)
    }

    /// Returns the next event, or `nil` at the end of the document.
    func next() throws(StoreError) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while true {
            switch xmlTextReaderRead(reader) {
            case 1: break
            case 0: return nil
            default: throw damage(complaint.message ?? "it cannot be read")
            }
            switch xmlTextReaderNodeType(reader) {
            case Int32(XML_READER_TYPE_ELEMENT.rawValue):
                let name = try name()
                let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
                if isEmpty { pendingEnd = name }
                return .start(name, try attributes())
            case Int32(XML_READER_TYPE_END_ELEMENT.rawValue):
                return .end(try name())
            case Int32(XML_READER_TYPE_TEXT.rawValue), Int32(XML_READER_TYPE_CDATA.rawValue),
                Int32(XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue),
                Int32(XML_READER_TYPE_WHITESPACE.rawValue):
                return .text(text(xmlTextReaderConstValue(reader)) ?? "")
            case Int32(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
                throw damage("it refers to an entity")
            default:
                continue
            }
        }
    }

    /// Returns an error for damage at the current line of the document.
    func damage(_ reason: String) -> StoreError {
        let line = xmlTextReaderGetParserLineNumber(reader)
        return StoreError(
            .damaged, "line \(line): \(reason); stop, keep a copy, and correct it or", restoring: "a backup",
            path: path)
    }

    private func name() throws(StoreError) -> String {
        guard let name = text(xmlTextReaderConstName(reader)) else { throw damage("an element has no name") }
        return name
    }

    private func attributes() throws(StoreError) -> Attributes {
        var attributes = Attributes()
        guard xmlTextReaderHasAttributes(reader) == 1 else { return attributes }
        while xmlTextReaderMoveToNextAttribute(reader) == 1 {
            let value = text(xmlTextReaderConstValue(reader)) ?? ""
            switch try name() {
            case "name": attributes.name = value
            case "type": attributes.type = value
            case "id": attributes.id = value
            case "destination": attributes.destination = value
            case "idrefs": attributes.idrefs = value
            default: break
            }
        }
        xmlTextReaderMoveToElement(reader)
        return attributes
    }

    private func text(_ pointer: UnsafePointer<xmlChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}
