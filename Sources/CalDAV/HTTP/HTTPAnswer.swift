internal import CCurl

/// The bytes of an answer, which libcurl delivers one chunk at a time.
final class HTTPAnswer {
    private let headLimit: Int
    private let bodyLimit: Int
    private var headBytes = 0
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    /// The limit that the answer exceeds, or `nil` if it exceeds none.
    private(set) var exceededLimit: String?

    init(headLimit: Int, bodyLimit: Int) {
        (self.headLimit, self.bodyLimit) = (headLimit, bodyLimit)
    }

    static let receiveHead: todod_curl_transfer = { bytes, _, count, context in
        guard let bytes, let context else { return 0 }
        let answer = Unmanaged<HTTPAnswer>.fromOpaque(context).takeUnretainedValue()
        return answer.addHead(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    static let receiveBody: todod_curl_transfer = { bytes, _, count, context in
        guard let bytes, let context else { return 0 }
        let answer = Unmanaged<HTTPAnswer>.fromOpaque(context).takeUnretainedValue()
        return answer.addBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func addHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headBytes += bytes.count
        guard headBytes <= headLimit else {
            exceededLimit = "\(headLimit) bytes in its head"
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        // An interim answer, such as 100, has a head of its own.
        if line.hasPrefix("HTTP/") { headers = [] }
        if let colon = line.firstIndex(of: ":") {
            headers.append((Self.trimmed(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
        }
        return true
    }

    private func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= bodyLimit else {
            exceededLimit = "\(bodyLimit) bytes"
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
