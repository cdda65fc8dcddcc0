internal import CCurl

/// The body of a request that is sent at most once.
///
/// libcurl repeats a request if a kept connection ends without an answer. It does not if it cannot get the body again. A text that
/// was saved is therefore not saved a second time, which would look like a change by another client.
final class HTTPBody {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var count: Int { bytes.count }

    static let send: todod_curl_transfer = { buffer, size, count, context in
        guard let buffer, let context else { return 0 }
        let body = Unmanaged<HTTPBody>.fromOpaque(context).takeUnretainedValue()
        return body.copy(to: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    private func copy(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let chunk = bytes[position..<min(position + buffer.count, bytes.count)]
        buffer.copyBytes(from: chunk)
        position += chunk.count
        return chunk.count
    }
}
