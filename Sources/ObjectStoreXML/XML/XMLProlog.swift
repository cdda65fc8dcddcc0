internal import ObjectStore

/// The part of an XML store before its first element. It is checked before the parser reads the file.
///
///     <?xml version="1.0" standalone="yes"?>
///     <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
///     <database>
///
/// Only this document type is accepted, and it is never loaded. A document without another document type
/// cannot declare entities, so nothing in it is fetched or expanded.
struct XMLProlog {
    static let documentType = "file:///System/Library/DTDs/CoreData.dtd"

    private let path: String
    private var rest: ArraySlice<UInt8>

    /// Throws a `StoreError` if the first bytes of the file are not the beginning of an XML store in UTF-8.
    static func check(_ path: String) throws(StoreError) {
        var prolog = XMLProlog(path: path, rest: try FileReader(path).next()[...])
        try prolog.check()
    }

    private init(path: String, rest: ArraySlice<UInt8>) {
        self.path = path
        self.rest = rest
    }

    private mutating func check() throws(StoreError) {
        _ = take("\u{FEFF}")
        if take("<?xml") { try checkDeclaration() }
        try skipSpaceAndComments()
        guard rest.first == UInt8(ascii: "<") else { throw notXML }
        if take("<!DOCTYPE") {
            try checkDocumentType()
            try skipSpaceAndComments()
        }
        guard take("<database"), let next = rest.first, isSpace(next) || next == UInt8(ascii: ">") else {
            throw StoreError(
                .foreign, "the document belongs to another program; choose another path", path: path)
        }
    }

    private mutating func checkDeclaration() throws(StoreError) {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw notXML }
        let declaration = String(decoding: rest[..<end], as: UTF8.self).lowercased()
        rest = rest[(end + 1)...]
        if declaration.contains("encoding"), !declaration.contains("utf-8"), !declaration.contains("us-ascii")
        {
            throw StoreError(
                .foreign, "the document is not in UTF-8; convert it or choose another path", path: path)
        }
    }

    private mutating func checkDocumentType() throws(StoreError) {
        skipSpace()
        let isOurs = take("database")
        skipSpace()
        let isSystem = take("SYSTEM")
        skipSpace()
        let hasLocation = take("\"\(Self.documentType)\"") || take("'\(Self.documentType)'")
        skipSpace()
        guard isOurs, isSystem, hasLocation, take(">") else {
            throw StoreError(
                .foreign,
                "the document has a document type of its own, which is never loaded; remove it if you trust the rest",
                path: path)
        }
    }

    private mutating func skipSpaceAndComments() throws(StoreError) {
        skipSpace()
        while take("<!--") {
            while !rest.isEmpty, !take("-->") { rest = rest.dropFirst() }
            skipSpace()
        }
    }

    private mutating func skipSpace() {
        rest = rest.drop(while: isSpace)
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private var notXML: StoreError {
        StoreError(.notADatabase, "the file is not an XML store; choose another path", path: path)
    }
}
